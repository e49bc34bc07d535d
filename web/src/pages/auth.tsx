/** Signing in, signing up, and a way back for those who forgot their password. */
import { useQuery } from "@tanstack/react-query";
import { Link, useRouter, useSearch } from "@tanstack/react-router";
import { MailCheck } from "lucide-react";
import { type ComponentProps, type FormEvent, type ReactNode, useState } from "react";
import { own, sentence } from "@/api/http";
import { client, session } from "@/api/queries";
import { isOwnPage, safeNext } from "@/lib/next";
import { MIN_PASSWORD } from "@/lib/password";
import { Door } from "@/shell/door";
import { Button } from "@/ui/button";
import { Field, Input, Password } from "@/ui/field";
import { Empty, Notice } from "@/ui/surface";

type DoorPath = "/session/sign-in" | "/session/sign-up" | "/session/forgot" | "/session/reset";

/** Sends a form, tells what is wrong, and goes on when there is an account. */
function useDoor<B>(path: DoorPath, after?: () => void) {
  const { next } = useSearch({ from: "/door" });
  const router = useRouter();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const send = async (body: B) => {
    setBusy(true);
    setProblem(null);
    try {
      await own("post", path, { body });
      if (after) {
        after();
        return;
      }
      client.clear();
      await client.fetchQuery(session);
      const target = safeNext(next);
      if (isOwnPage(target)) router.history.push(target);
      else window.location.assign(target);
    } catch (error) {
      setProblem(sentence(error));
    } finally {
      setBusy(false);
    }
  };
  return { send, busy, problem };
}

function Form({
  problem,
  busy,
  act,
  onSend,
  children,
}: {
  problem: string | null;
  busy: boolean;
  act: string;
  onSend: () => void;
  children: ReactNode;
}) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSend();
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-5">
      {problem && <Notice tone="bad">{problem}</Notice>}
      {children}
      <Button type="submit" look="primary" size="lg" busy={busy} className="mt-1 w-full">
        {act}
      </Button>
    </form>
  );
}

const big: Pick<ComponentProps<"input">, "className"> = { className: "h-11" };
const inline = "font-medium text-text underline decoration-edge underline-offset-4 hover:decoration-current";

export function SignIn() {
  const { next } = useSearch({ from: "/door" });
  const known = useQuery(session).data;
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const { send, busy, problem } = useDoor<{ email: string; password: string }>("/session/sign-in");
  return (
    <Door
      title="Sign in"
      about="Keys, templates and renders are waiting."
      foot={
        known &&
        known.signUp !== "closed" && (
          <>
            No account yet?{" "}
            <Link to="/sign-up" search={{ next }} className={inline}>
              Sign up
            </Link>
          </>
        )
      }
    >
      <Form problem={problem} busy={busy} act="Sign in" onSend={() => void send({ email, password })}>
        <Field label="Email">
          {(given) => (
            <Input
              {...given}
              {...big}
              type="email"
              autoComplete="username"
              required
              autoFocus
              value={email}
              onChange={(event) => setEmail(event.target.value)}
            />
          )}
        </Field>
        <Field
          label="Password"
          aside={
            <Link to="/forgot" className="text-[13px] text-text underline decoration-edge underline-offset-4">
              Forgot it?
            </Link>
          }
        >
          {(given) => (
            <Password
              {...given}
              {...big}
              autoComplete="current-password"
              required
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
      </Form>
    </Door>
  );
}

export function SignUp() {
  const { next, invite } = useSearch({ from: "/door" });
  const known = useQuery(session).data;
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [code, setCode] = useState(invite ?? "");
  const { send, busy, problem } = useDoor<Record<string, string>>("/session/sign-up");
  const first = known?.firstAccount ?? false;
  const needsInvite = known?.signUp === "invite" && !first;
  const foot = !first && (
    <>
      Already have an account?{" "}
      <Link to="/sign-in" search={{ next }} className={inline}>
        Sign in
      </Link>
    </>
  );
  if (known?.signUp === "closed" && !first) {
    return (
      <Door title="Sign-up is closed" about="Ask the operator of this installation for an account." foot={foot}>
        {null}
      </Door>
    );
  }
  return (
    <Door
      title={first ? "Set up Rondo" : "Create your account"}
      about={
        first
          ? "The first account of this installation looks after it: accounts, credits and workers."
          : "Free to try: previews cost nothing."
      }
      foot={foot}
    >
      <Form
        problem={problem}
        busy={busy}
        act={first ? "Create the first account" : "Create account"}
        onSend={() => void send({ name, email, password, ...(code ? { invite: code } : {}) })}
      >
        {needsInvite && !invite && (
          <Field label="Invite" hint="The code of the invitation you received.">
            {(given) => (
              <Input {...given} {...big} required value={code} onChange={(event) => setCode(event.target.value)} />
            )}
          </Field>
        )}
        <Field label="Name">
          {(given) => (
            <Input
              {...given}
              {...big}
              autoComplete="name"
              required
              autoFocus
              maxLength={100}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <Field label="Email">
          {(given) => (
            <Input
              {...given}
              {...big}
              type="email"
              autoComplete="username"
              required
              value={email}
              onChange={(event) => setEmail(event.target.value)}
            />
          )}
        </Field>
        <Field label="Password" hint={`At least ${MIN_PASSWORD} characters.`}>
          {(given) => (
            <Password
              {...given}
              {...big}
              autoComplete="new-password"
              required
              minLength={MIN_PASSWORD}
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
      </Form>
    </Door>
  );
}

export function Forgot() {
  const known = useQuery(session).data;
  const [email, setEmail] = useState("");
  const [sent, setSent] = useState(false);
  const { send, busy, problem } = useDoor<{ email: string }>("/session/forgot", () => setSent(true));
  const foot = (
    <Link to="/sign-in" className={inline}>
      Back to sign in
    </Link>
  );
  if (known && !known.mail) {
    return (
      <Door
        title="Forgot your password?"
        about="This installation sends no mail. Ask its operator to set a new password for you."
        foot={foot}
      >
        {null}
      </Door>
    );
  }
  if (sent) {
    return (
      <Door title="Look into your mail" foot={foot}>
        <Empty icon={<MailCheck />} title={email} className="rounded-xl border py-8">
          If there is an account with this address, a link to a new password is on its way. It works once.
        </Empty>
      </Door>
    );
  }
  return (
    <Door title="Forgot your password?" about="We send you a link with which you can choose a new one." foot={foot}>
      <Form problem={problem} busy={busy} act="Send the link" onSend={() => void send({ email })}>
        <Field label="Email">
          {(given) => (
            <Input
              {...given}
              {...big}
              type="email"
              autoComplete="username"
              required
              autoFocus
              value={email}
              onChange={(event) => setEmail(event.target.value)}
            />
          )}
        </Field>
      </Form>
    </Door>
  );
}

export function Reset() {
  const { token } = useSearch({ from: "/door" });
  const [password, setPassword] = useState("");
  const { send, busy, problem } = useDoor<{ token: string; password: string }>("/session/reset");
  const foot = (
    <Link to="/forgot" className={inline}>
      Ask for a new link
    </Link>
  );
  if (!token) {
    return (
      <Door
        title="The link is incomplete"
        about="Open the link of the mail as a whole, or ask for a new one."
        foot={foot}
      >
        {null}
      </Door>
    );
  }
  return (
    <Door title="Choose a new password" about="All other sessions of your account end." foot={problem && foot}>
      <Form problem={problem} busy={busy} act="Save and sign in" onSend={() => void send({ token, password })}>
        <Field label="New password" hint={`At least ${MIN_PASSWORD} characters.`}>
          {(given) => (
            <Password
              {...given}
              {...big}
              autoComplete="new-password"
              required
              autoFocus
              minLength={MIN_PASSWORD}
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
      </Form>
    </Door>
  );
}
