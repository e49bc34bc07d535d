/** Requests a password reset link. */

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { MailCheck } from "lucide-react";
import { useState } from "react";
import { type DashboardBody, dashboardApi } from "@/api/http";
import { session } from "@/api/queries";
import { AuthForm, INLINE_LINK, LARGE_INPUT, useAuthForm } from "@/layout/auth-form";
import { AuthLayout } from "@/layout/auth-layout";
import { EmptyState } from "@/ui/empty-state";
import { Field, Input } from "@/ui/field";

const requestReset = (body: DashboardBody<"post", "/session/forgot">) =>
  dashboardApi("post", "/session/forgot", { body });

export function ForgotPasswordPage() {
  const auth = useQuery(session).data;
  const [email, setEmail] = useState("");
  const [sent, setSent] = useState(false);
  const { send, busy, error } = useAuthForm(requestReset, () => setSent(true));
  const footer = (
    <Link to="/sign-in" className={INLINE_LINK}>
      Back to sign in
    </Link>
  );
  if (auth && !auth.mail) {
    return (
      <AuthLayout
        title="Reset your password"
        description="Email is not configured on this installation. Ask the operator to reset your password."
        footer={footer}
      >
        {null}
      </AuthLayout>
    );
  }
  if (sent) {
    return (
      <AuthLayout title="Check your email" footer={footer}>
        <EmptyState icon={<MailCheck />} title={email} className="rounded-xl border py-8">
          If an account exists for this address, a reset link is on its way. The link can be used once.
        </EmptyState>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout
      title="Reset your password"
      description="Enter your email address to receive a reset link."
      footer={footer}
    >
      <AuthForm error={error} busy={busy} submitLabel="Send reset link" onSubmit={() => void send({ email })}>
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
      </AuthForm>
    </AuthLayout>
  );
}
