/** Sign in. */

import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { type DashboardBody, dashboardApi } from "@/api/http";
import { session } from "@/api/queries";
import { AuthForm, INLINE_LINK, LARGE_INPUT, useAuthForm } from "@/layout/auth-form";
import { AuthLayout } from "@/layout/auth-layout";
import { Field, Input, PasswordInput } from "@/ui/field";

const signIn = (body: DashboardBody<"post", "/session/sign-in">) => dashboardApi("post", "/session/sign-in", { body });

export function SignInPage() {
  const { next } = useSearch({ from: "/auth" });
  const auth = useQuery(session).data;
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const { send, busy, error } = useAuthForm(signIn);
  return (
    <AuthLayout
      title="Sign in"
      description="Manage your templates, renders and API keys."
      footer={
        auth &&
        auth.signUp !== "closed" && (
          <>
            Don't have an account?{" "}
            <Link to="/sign-up" search={{ next }} className={INLINE_LINK}>
              Sign up
            </Link>
          </>
        )
      }
    >
      <AuthForm error={error} busy={busy} submitLabel="Sign in" onSubmit={() => void send({ email, password })}>
        <Field label="Email">
          {(field) => (
            <Input
              {...field}
              {...LARGE_INPUT}
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
            <Link
              to="/forgot"
              className="text-[13px] text-foreground underline decoration-border-strong underline-offset-4"
            >
              Forgot password?
            </Link>
          }
        >
          {(field) => (
            <PasswordInput
              {...field}
              {...LARGE_INPUT}
              autoComplete="current-password"
              required
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
      </AuthForm>
    </AuthLayout>
  );
}
