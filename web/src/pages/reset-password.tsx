/** Sets a new password with a reset link. */

import { Link, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { type DashboardBody, dashboardApi } from "@/api/http";
import { AuthForm, INLINE_LINK, LARGE_INPUT, useAuthForm } from "@/layout/auth-form";
import { AuthLayout } from "@/layout/auth-layout";
import { REVOKE_NOTHING, RevokeOptions } from "@/layout/revoke-options";
import { MIN_PASSWORD } from "@/lib/password";
import { Field, PasswordInput } from "@/ui/field";

const resetPassword = (body: DashboardBody<"post", "/session/reset">) =>
  dashboardApi("post", "/session/reset", { body });

export function ResetPasswordPage() {
  const { token } = useSearch({ from: "/auth" });
  const [password, setPassword] = useState("");
  const [revocation, setRevocation] = useState(REVOKE_NOTHING);
  const { send, busy, error } = useAuthForm(resetPassword);
  const footer = (
    <Link to="/forgot" className={INLINE_LINK}>
      Request a new link
    </Link>
  );
  if (!token) {
    return (
      <AuthLayout
        title="Invalid reset link"
        description="The link is incomplete. Open the full link from the email, or request a new one."
        footer={footer}
      >
        {null}
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title="Set a new password" description="This signs out all other sessions." footer={error && footer}>
      <AuthForm
        error={error}
        busy={busy}
        submitLabel="Reset password"
        onSubmit={() => void send({ token, password, ...revocation })}
      >
        <Field label="New password" hint={`At least ${MIN_PASSWORD} characters.`}>
          {(field) => (
            <PasswordInput
              {...field}
              {...LARGE_INPUT}
              autoComplete="new-password"
              required
              autoFocus
              minLength={MIN_PASSWORD}
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
        <RevokeOptions value={revocation} onChange={setRevocation} />
      </AuthForm>
    </AuthLayout>
  );
}
