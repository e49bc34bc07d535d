/** Sets a new password with a reset link. */

import { Link, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { type DashboardBody, dashboardApi } from "@/api/http";
import { AuthForm, INLINE_LINK, LARGE_INPUT, useAuthForm } from "@/layout/auth-form";
import { AuthLayout } from "@/layout/auth-layout";
import { MIN_PASSWORD } from "@/lib/password";
import { Checkbox, Field, PasswordInput } from "@/ui/field";

const resetPassword = (body: DashboardBody<"post", "/session/reset">) =>
  dashboardApi("post", "/session/reset", { body });

export function ResetPasswordPage() {
  const { token } = useSearch({ from: "/auth" });
  const [password, setPassword] = useState("");
  const [revokeKeys, setRevokeKeys] = useState(false);
  const [revokeApps, setRevokeApps] = useState(false);
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
        onSubmit={() => void send({ token, password, revokeKeys, revokeApps })}
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
        <div className="flex flex-col gap-2.5">
          <Checkbox
            label="Revoke all API keys"
            checked={revokeKeys}
            onChange={(event) => setRevokeKeys(event.target.checked)}
          />
          <Checkbox
            label="Disconnect all apps"
            checked={revokeApps}
            onChange={(event) => setRevokeApps(event.target.checked)}
          />
        </div>
      </AuthForm>
    </AuthLayout>
  );
}
