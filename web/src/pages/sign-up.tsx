/** Sign up, and the setup of a new installation. */

import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { type DashboardBody, dashboardApi } from "@/api/http";
import { session } from "@/api/queries";
import { AuthForm, INLINE_LINK, LARGE_INPUT, useAuthForm } from "@/layout/auth-form";
import { AuthLayout } from "@/layout/auth-layout";
import { MIN_PASSWORD } from "@/lib/password";
import { Field, Input, PasswordInput } from "@/ui/field";

const signUp = (body: DashboardBody<"post", "/session/sign-up">) => dashboardApi("post", "/session/sign-up", { body });

export function SignUpPage() {
  const { next, invite } = useSearch({ from: "/auth" });
  const auth = useQuery(session).data;
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [code, setCode] = useState(invite ?? "");
  const { send, busy, error } = useAuthForm(signUp);
  const first = auth?.firstAccount ?? false;
  const needsInvite = auth?.signUp === "invite" && !first;
  const footer = !first && (
    <>
      Already have an account?{" "}
      <Link to="/sign-in" search={{ next }} className={INLINE_LINK}>
        Sign in
      </Link>
    </>
  );
  if (auth?.signUp === "closed" && !first) {
    return (
      <AuthLayout
        title="Sign-up is disabled"
        description="Contact the operator of this installation to get an account."
        footer={footer}
      >
        {null}
      </AuthLayout>
    );
  }
  return (
    <AuthLayout
      title={first ? "Set up Rondo" : "Create your account"}
      description={
        first ? "Create the operator account. It manages accounts, credits and workers." : "Previews are free."
      }
      footer={footer}
    >
      <AuthForm
        error={error}
        busy={busy}
        submitLabel={first ? "Create operator account" : "Create account"}
        onSubmit={() => void send({ name, email, password, ...(code ? { invite: code } : {}) })}
      >
        {needsInvite && !invite && (
          <Field label="Invite code" hint="From the invite link you received.">
            {(field) => (
              <Input
                {...field}
                {...LARGE_INPUT}
                required
                value={code}
                onChange={(event) => setCode(event.target.value)}
              />
            )}
          </Field>
        )}
        <Field label="Name">
          {(field) => (
            <Input
              {...field}
              {...LARGE_INPUT}
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
          {(field) => (
            <Input
              {...field}
              {...LARGE_INPUT}
              type="email"
              autoComplete="username"
              required
              value={email}
              onChange={(event) => setEmail(event.target.value)}
            />
          )}
        </Field>
        <Field label="Password" hint={`At least ${MIN_PASSWORD} characters.`}>
          {(field) => (
            <PasswordInput
              {...field}
              {...LARGE_INPUT}
              autoComplete="new-password"
              required
              minLength={MIN_PASSWORD}
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
      </AuthForm>
    </AuthLayout>
  );
}
