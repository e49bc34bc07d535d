/** The account itself: name, password, sessions, looks. */
import { useMutation, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Monitor, Moon, Smartphone, Sun } from "lucide-react";
import { type FormEvent, useState } from "react";
import { own, sentence } from "@/api/http";
import { client, session, sessions } from "@/api/queries";
import type { DeviceSession } from "@/api/types";
import { device } from "@/lib/device";
import { MIN_PASSWORD } from "@/lib/password";
import { chooseTheme, useTheme } from "@/lib/theme";
import { Ago, Badge, Choice } from "@/ui/bits";
import { Button } from "@/ui/button";
import { Confirm } from "@/ui/dialog";
import { Field, Input, Password } from "@/ui/field";
import { Notice, PageHeader, Problem, Section, SkeletonRows } from "@/ui/surface";
import { complain, say } from "@/ui/toast";

export function Settings() {
  return (
    <>
      <PageHeader title="Settings" about="Your profile, how you sign in, and how this looks." />
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
    mutationFn: () => own("patch", "/profile", { body: { name: name.trim() } }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ["session"] });
      say("Your name was saved.");
    },
    onError: complain,
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
            {(given) => (
              <Input
                {...given}
                required
                maxLength={100}
                autoComplete="name"
                value={name}
                onChange={(event) => setName(event.target.value)}
              />
            )}
          </Field>
          <Field label="Email">
            {(given) => (
              <Input {...given} value={data.account?.email ?? ""} readOnly className="bg-sunken! text-quiet!" />
            )}
          </Field>
        </div>
        <div>
          <Button
            type="submit"
            look="primary"
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
        <p className="text-quiet">Light, dark, or as your system.</p>
        <Choice
          label="Theme"
          value={theme}
          onChange={chooseTheme}
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
  const change = useMutation({
    mutationFn: () => own("post", "/password", { body: { current, password } }),
    onSuccess: () => {
      setCurrent("");
      setPassword("");
      void client.invalidateQueries({ queryKey: ["sessions"] });
      say("Your password was changed. Other sessions have ended.");
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <Section title="Password" about="Changing it ends every other session.">
      <form onSubmit={submit} className="flex flex-col gap-5 p-5">
        {change.error && <Notice tone="bad">{sentence(change.error)}</Notice>}
        <div className="grid gap-5 sm:grid-cols-2">
          <Field label="Current password">
            {(given) => (
              <Password
                {...given}
                required
                autoComplete="current-password"
                value={current}
                onChange={(event) => setCurrent(event.target.value)}
              />
            )}
          </Field>
          <Field label="New password" hint={`At least ${MIN_PASSWORD} characters.`}>
            {(given) => (
              <Password
                {...given}
                required
                minLength={MIN_PASSWORD}
                autoComplete="new-password"
                value={password}
                onChange={(event) => setPassword(event.target.value)}
              />
            )}
          </Field>
        </div>
        <div>
          <Button type="submit" busy={change.isPending} disabled={!current || !password}>
            Change the password
          </Button>
        </div>
      </form>
    </Section>
  );
}

function Sessions() {
  const { data, error, refetch } = useQuery(sessions);
  return (
    <Section title="Sessions" about="Browsers that are signed in to your account.">
      {error ? (
        <Problem error={error} retry={() => void refetch()} />
      ) : !data ? (
        <SkeletonRows rows={2} height="h-16" />
      ) : (
        <ul>
          {data.map((one) => (
            <SessionRow key={one.id} one={one} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function SessionRow({ one }: { one: DeviceSession }) {
  const { name, phone } = device(one.userAgent);
  const revoke = async () => {
    await own("delete", "/sessions/{id}", { path: { id: one.id } });
    await client.invalidateQueries({ queryKey: ["sessions"] });
    say("The session has ended.");
  };
  return (
    <li className="flex items-center gap-4 border-b px-5 py-3.5 last:border-b-0">
      <span
        aria-hidden="true"
        className="grid size-9 shrink-0 place-items-center rounded-lg border bg-sunken text-quiet"
      >
        {phone ? <Smartphone className="size-4" /> : <Monitor className="size-4" />}
      </span>
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{name}</span>
        <span className="block truncate text-[13px] text-quiet">
          {one.address ?? "Address unknown"} · last used <Ago at={one.lastUsedAt} />
        </span>
      </span>
      {one.current ? (
        <Badge tone="good">This one</Badge>
      ) : (
        <Confirm
          trigger={
            <Button look="quietDanger" size="sm">
              End
            </Button>
          }
          title="End this session?"
          act="End the session"
          onConfirm={revoke}
        >{`${name} is signed out at once.`}</Confirm>
      )}
    </li>
  );
}
