/** Account settings: profile, appearance, password, sessions. */

import { useMutation, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Monitor, Moon, Smartphone, Sun } from "lucide-react";
import { type FormEvent, useState } from "react";
import { dashboardApi } from "@/api/http";
import { queryClient, session, sessions } from "@/api/queries";
import type { SignedInDevice } from "@/api/types";
import { REVOKE_NOTHING, RevokeOptions } from "@/layout/revoke-options";
import { errorMessage } from "@/lib/error";
import { MIN_PASSWORD } from "@/lib/password";
import { setTheme, useTheme } from "@/lib/theme";
import { describeUserAgent } from "@/lib/user-agent";
import { Alert } from "@/ui/alert";
import { Badge } from "@/ui/badge";
import { Button } from "@/ui/button";
import { Section } from "@/ui/card";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { ErrorState } from "@/ui/error-state";
import { Field, Input, PasswordInput } from "@/ui/field";
import { PageHeader } from "@/ui/page-header";
import { SegmentedControl } from "@/ui/segmented-control";
import { SkeletonRows } from "@/ui/skeleton";
import { TimeAgo } from "@/ui/time-ago";
import { showError, showToast } from "@/ui/toast";

export function SettingsPage() {
  return (
    <>
      <PageHeader title="Settings" description="Manage your profile, password and sessions." />
      <div className="flex max-w-3xl flex-col gap-6">
        <Profile />
        <Appearance />
        <NewPassword />
        <Sessions />
      </div>
    </>
  );
}

function Profile() {
  const { data } = useSuspenseQuery(session);
  const [name, setName] = useState(data.account?.name ?? "");
  const save = useMutation({
    mutationFn: () => dashboardApi("patch", "/profile", { body: { name: name.trim() } }),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: ["session"] });
      showToast("Profile saved.");
    },
    onError: showError,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Section title="Profile">
      <form onSubmit={submit} className="flex flex-col gap-5 p-5">
        <div className="grid gap-5 sm:grid-cols-2">
          <Field label="Name">
            {(field) => (
              <Input
                {...field}
                required
                maxLength={100}
                autoComplete="name"
                value={name}
                onChange={(event) => setName(event.target.value)}
              />
            )}
          </Field>
          <Field label="Email">
            {(field) => (
              <Input {...field} value={data.account?.email ?? ""} readOnly className="bg-inset! text-muted!" />
            )}
          </Field>
        </div>
        <div>
          <Button
            type="submit"
            variant="primary"
            busy={save.isPending}
            disabled={!name.trim() || name.trim() === data.account?.name}
          >
            Save
          </Button>
        </div>
      </form>
    </Section>
  );
}

function Appearance() {
  const theme = useTheme();
  return (
    <Section title="Appearance">
      <div className="flex flex-wrap items-center justify-between gap-3 px-5 py-4">
        <p className="text-muted">Theme of the dashboard.</p>
        <SegmentedControl
          label="Theme"
          value={theme}
          onChange={setTheme}
          options={[
            [
              "system",
              <span key="s" className="flex items-center gap-1.5">
                <Monitor className="size-3.5" aria-hidden="true" />
                System
              </span>,
            ],
            [
              "light",
              <span key="l" className="flex items-center gap-1.5">
                <Sun className="size-3.5" aria-hidden="true" />
                Light
              </span>,
            ],
            [
              "dark",
              <span key="d" className="flex items-center gap-1.5">
                <Moon className="size-3.5" aria-hidden="true" />
                Dark
              </span>,
            ],
          ]}
        />
      </div>
    </Section>
  );
}

function NewPassword() {
  const [current, setCurrent] = useState("");
  const [password, setPassword] = useState("");
  const [revocation, setRevocation] = useState(REVOKE_NOTHING);
  const change = useMutation({
    mutationFn: () => dashboardApi("post", "/password", { body: { current, password, ...revocation } }),
    onSuccess: () => {
      setCurrent("");
      setPassword("");
      setRevocation(REVOKE_NOTHING);
      for (const key of ["sessions", "keys", "apps", "audit"]) void queryClient.invalidateQueries({ queryKey: [key] });
      showToast("Password changed. All other sessions were signed out.");
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <Section title="Password" description="Changing the password signs out all other sessions.">
      <form onSubmit={submit} className="flex flex-col gap-5 p-5">
        {change.error && <Alert tone="danger">{errorMessage(change.error)}</Alert>}
        <div className="grid gap-5 sm:grid-cols-2">
          <Field label="Current password">
            {(field) => (
              <PasswordInput
                {...field}
                required
                autoComplete="current-password"
                value={current}
                onChange={(event) => setCurrent(event.target.value)}
              />
            )}
          </Field>
          <Field label="New password" hint={`At least ${MIN_PASSWORD} characters.`}>
            {(field) => (
              <PasswordInput
                {...field}
                required
                minLength={MIN_PASSWORD}
                autoComplete="new-password"
                value={password}
                onChange={(event) => setPassword(event.target.value)}
              />
            )}
          </Field>
        </div>
        <RevokeOptions value={revocation} onChange={setRevocation} />
        <div>
          <Button type="submit" busy={change.isPending} disabled={!current || !password}>
            Change password
          </Button>
        </div>
      </form>
    </Section>
  );
}

function Sessions() {
  const { data, error, refetch } = useQuery(sessions);
  return (
    <Section title="Sessions" description="Devices signed in to your account.">
      {error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : !data ? (
        <SkeletonRows rows={2} height="h-16" />
      ) : (
        <ul>
          {data.map((device) => (
            <SessionRow key={device.id} device={device} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function SessionRow({ device }: { device: SignedInDevice }) {
  const { name, phone } = describeUserAgent(device.userAgent);
  const revoke = async () => {
    await dashboardApi("delete", "/sessions/{id}", { path: { id: device.id } });
    await queryClient.invalidateQueries({ queryKey: ["sessions"] });
    showToast("Session revoked.");
  };
  return (
    <li className="flex items-center gap-4 border-b px-5 py-3.5 last:border-b-0">
      <span
        aria-hidden="true"
        className="grid size-9 shrink-0 place-items-center rounded-lg border bg-inset text-muted"
      >
        {phone ? <Smartphone className="size-4" /> : <Monitor className="size-4" />}
      </span>
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{name}</span>
        <span className="block truncate text-[13px] text-muted">
          {device.address ?? "Unknown IP address"} · last used <TimeAgo at={device.lastUsedAt} />
        </span>
      </span>
      {device.current ? (
        <Badge tone="success">Current</Badge>
      ) : (
        <ConfirmDialog
          trigger={
            <Button variant="dangerGhost" size="sm">
              Revoke
            </Button>
          }
          title="Revoke this session?"
          confirmLabel="Revoke session"
          onConfirm={revoke}
        >{`${name} is signed out immediately.`}</ConfirmDialog>
      )}
    </li>
  );
}
