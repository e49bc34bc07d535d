/** The form of a destination: its name, its bucket, and the credentials of its cloud. */

import { Upload } from "lucide-react";
import { type ChangeEvent, type FormEvent, useEffect, useRef, useState } from "react";
import { ApiError } from "@/api/http";
import type { DestinationBody } from "@/api/types";
import { errorMessage } from "@/lib/error";
import { oneOf } from "@/lib/one-of";
import { Alert } from "@/ui/alert";
import { Button } from "@/ui/button";
import { Field, Input, PasswordInput, Select, Textarea } from "@/ui/field";

type Credentials = DestinationBody["credentials"];
type Credential = keyof Credentials;

/** The clouds by the scheme of their URLs. */
const CLOUDS = {
  s3: { name: "Amazon S3 or compatible", place: "Bucket and prefix", owner: "Amazon" },
  gs: { name: "Google Cloud Storage", place: "Bucket and prefix", owner: "Google" },
  az: { name: "Azure Blob Storage", place: "Container and prefix", owner: "Azure" },
} as const;
type Scheme = keyof typeof CLOUDS;
const SCHEMES = Object.keys(CLOUDS) as Scheme[];

const AZURE_KEYS = ["accountKey", "sasToken"] as const;
type AzureKey = (typeof AZURE_KEYS)[number];

/** The credentials that a cloud takes. */
function taken(scheme: Scheme, azureKey: AzureKey): Credential[] {
  const names: Record<Scheme, Credential[]> = {
    s3: ["accessKeyId", "secretAccessKey", "sessionToken"],
    gs: ["serviceAccountKey"],
    az: ["account", azureKey],
  };
  return names[scheme];
}

interface Props {
  busy: boolean;
  error: unknown;
  onSubmit: (body: DestinationBody) => void;
  onCancel: () => void;
}

export function DestinationForm({ busy, error, onSubmit, onCancel }: Props) {
  const [name, setName] = useState("");
  const [scheme, setScheme] = useState<Scheme>("s3");
  const [place, setPlace] = useState("");
  const [region, setRegion] = useState("");
  const [endpoint, setEndpoint] = useState("");
  const [azureKey, setAzureKey] = useState<AzureKey>("accountKey");
  const [credentials, setCredentials] = useState<Credentials>({});
  const form = useRef<HTMLFormElement>(null);
  const cloud = CLOUDS[scheme];
  const names = taken(scheme, azureKey);
  const azureLabel = azureKey === "accountKey" ? "Account key" : "SAS token";
  const issues = error instanceof ApiError ? error.issues : [];
  /** What is wrong with a field, which people know by its label. */
  const issue = (path: string, label: string) =>
    issues.find((found) => found.path === path)?.message.replace(`\`${path}\``, label);
  const paths = ["name", "url", "endpoint", "region", ...names.map((credential) => `credentials.${credential}`)];
  const isBesideField = issues.some(({ path }) => paths.includes(path));
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [error]);
  /** A pasted URL also says which cloud it is. */
  const changePlace = (text: string) => {
    const [, pasted, rest] = /^\s*(\w+):\/\/(.*)$/.exec(text) ?? [];
    const known = oneOf(pasted, SCHEMES);
    if (known) setScheme(known);
    setPlace(known ? (rest ?? "") : text);
  };
  const credential = (key: Credential) => ({
    value: credentials[key] ?? "",
    onChange: ({ target: { value } }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      setCredentials({ ...credentials, [key]: value }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const given = names.map((key) => [key, credentials[key]?.trim()]).filter(([, value]) => value);
    onSubmit({
      name: name.trim(),
      url: `${scheme}://${place.trim()}`,
      ...(scheme === "s3" && region.trim() ? { region: region.trim() } : {}),
      ...(endpoint.trim() ? { endpoint: endpoint.trim() } : {}),
      credentials: Object.fromEntries(given) as Credentials,
    });
  };
  return (
    <form ref={form} onSubmit={submit} className="flex flex-col gap-5">
      {error != null && !isBesideField && <Alert tone="danger">{errorMessage(error)}</Alert>}
      <div className="grid gap-5 sm:grid-cols-2">
        <Field
          label="Name"
          hint="Renders choose it by this name: letters, digits, - and _."
          error={issue("name", "Name")}
        >
          {(field) => (
            <Input
              {...field}
              required
              autoFocus
              autoComplete="off"
              maxLength={64}
              value={name}
              onChange={(event) => setName(event.target.value)}
              placeholder="films"
            />
          )}
        </Field>
        <Field label="Storage">
          {(field) => (
            <Select
              {...field}
              value={scheme}
              onChange={(event) => setScheme(oneOf(event.target.value, SCHEMES) ?? "s3")}
            >
              {SCHEMES.map((known) => (
                <option key={known} value={known}>
                  {CLOUDS[known].name}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field
          label={cloud.place}
          hint="Rondo writes the files below the prefix, named after their jobs."
          error={issue("url", cloud.place)}
          className="sm:col-span-2"
        >
          {(field) => (
            <span className="relative flex">
              <span
                aria-hidden="true"
                className="pointer-events-none absolute inset-y-0 left-3 flex items-center font-mono text-base text-muted sm:text-sm"
              >
                {scheme}://
              </span>
              <Input
                {...field}
                required
                autoComplete="off"
                spellCheck={false}
                className="pl-15 font-mono sm:pl-13.5"
                value={place}
                onChange={(event) => changePlace(event.target.value)}
                placeholder="my-films/rondo"
              />
            </span>
          )}
        </Field>
        {scheme === "s3" && (
          <Field label="Region" aside="Optional" error={issue("region", "Region")}>
            {(field) => (
              <Input
                {...field}
                maxLength={40}
                value={region}
                onChange={(event) => setRegion(event.target.value)}
                placeholder="us-east-1"
              />
            )}
          </Field>
        )}
        <Field
          label="Endpoint"
          aside="Optional"
          hint={`Leave it empty for the server of ${cloud.owner}.`}
          error={issue("endpoint", "Endpoint")}
          className={scheme === "s3" ? "" : "sm:col-span-2"}
        >
          {(field) => (
            <Input
              {...field}
              type="url"
              maxLength={300}
              value={endpoint}
              onChange={(event) => setEndpoint(event.target.value)}
              placeholder="https://storage.example.com"
            />
          )}
        </Field>
        {scheme === "s3" && (
          <>
            <Field label="Access key ID" error={issue("credentials.accessKeyId", "Access key ID")}>
              {(field) => <Input {...field} {...credential("accessKeyId")} required autoComplete="off" />}
            </Field>
            <Field label="Secret access key" error={issue("credentials.secretAccessKey", "Secret access key")}>
              {(field) => (
                <PasswordInput
                  {...field}
                  {...credential("secretAccessKey")}
                  what="secret access key"
                  required
                  autoComplete="new-password"
                />
              )}
            </Field>
            <Field
              label="Session token"
              aside="Optional"
              hint="Only for temporary credentials. Copies fail when they expire."
              error={issue("credentials.sessionToken", "Session token")}
              className="sm:col-span-2"
            >
              {(field) => (
                <PasswordInput
                  {...field}
                  {...credential("sessionToken")}
                  what="session token"
                  autoComplete="new-password"
                />
              )}
            </Field>
          </>
        )}
        {scheme === "gs" && (
          <Field
            label="Service account key"
            hint="Paste the JSON key file of a service account, or choose it."
            error={issue("credentials.serviceAccountKey", "Service account key")}
            className="sm:col-span-2"
          >
            {(field) => (
              <>
                <Textarea
                  {...field}
                  {...credential("serviceAccountKey")}
                  required
                  rows={3}
                  autoComplete="off"
                  spellCheck={false}
                  className="max-h-40 min-h-20 font-mono text-[13px]!"
                  placeholder='{"type": "service_account", …}'
                />
                <KeyFile onRead={(text) => setCredentials({ ...credentials, serviceAccountKey: text })} />
              </>
            )}
          </Field>
        )}
        {scheme === "az" && (
          <>
            <Field label="Storage account" error={issue("credentials.account", "Storage account")}>
              {(field) => (
                <Input {...field} {...credential("account")} required autoComplete="off" placeholder="myfilms" />
              )}
            </Field>
            <Field label="Credentials">
              {(field) => (
                <Select
                  {...field}
                  value={azureKey}
                  onChange={(event) => setAzureKey(oneOf(event.target.value, AZURE_KEYS) ?? "accountKey")}
                >
                  <option value="accountKey">Account key</option>
                  <option value="sasToken">SAS token</option>
                </Select>
              )}
            </Field>
            <Field
              key={azureKey}
              label={azureLabel}
              hint={
                azureKey === "accountKey"
                  ? "Gives access to the whole storage account. A SAS token can be limited to the container."
                  : "It must allow to create and write blobs in the container."
              }
              error={issue(`credentials.${azureKey}`, azureLabel)}
              className="sm:col-span-2"
            >
              {(field) => (
                <PasswordInput
                  {...field}
                  {...credential(azureKey)}
                  what={azureKey === "accountKey" ? "account key" : "SAS token"}
                  required
                  autoComplete="new-password"
                />
              )}
            </Field>
          </>
        )}
      </div>
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" busy={busy}>
          Add
        </Button>
      </div>
    </form>
  );
}

/** Reads a key file, which the form sends as text. */
function KeyFile({ onRead }: { onRead: (text: string) => void }) {
  const chooser = useRef<HTMLInputElement>(null);
  return (
    <span>
      <input
        ref={chooser}
        type="file"
        accept=".json,application/json"
        className="hidden"
        aria-label="Key file"
        tabIndex={-1}
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = "";
          if (file) void file.text().then(onRead);
        }}
      />
      <Button size="sm" onClick={() => chooser.current?.click()} icon={<Upload className="size-3.5" />}>
        Choose key file
      </Button>
    </span>
  );
}
