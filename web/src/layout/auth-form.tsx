/** The form of the sign-in pages. */

import { useRouter, useSearch } from "@tanstack/react-router";
import { type ComponentProps, type FormEvent, type ReactNode, useState } from "react";
import { queryClient, session } from "@/api/queries";
import { errorMessage } from "@/lib/error";
import { isAppPath, safeRedirect } from "@/lib/redirect";
import { Alert } from "@/ui/alert";
import { Button } from "@/ui/button";

/** Submits the form. Then calls `onSuccess`, or redirects the signed-in user. */
export function useAuthForm<Body>(submit: (body: Body) => Promise<unknown>, onSuccess?: () => void) {
  const { next } = useSearch({ from: "/auth" });
  const router = useRouter();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const send = async (body: Body) => {
    setBusy(true);
    setError(null);
    try {
      await submit(body);
      if (onSuccess) {
        onSuccess();
        return;
      }
      queryClient.clear();
      await queryClient.fetchQuery(session);
      const target = safeRedirect(next);
      if (isAppPath(target)) router.history.push(target);
      else window.location.assign(target);
    } catch (cause) {
      setError(errorMessage(cause));
    } finally {
      setBusy(false);
    }
  };
  return { send, busy, error };
}

export function AuthForm({
  error,
  busy,
  submitLabel,
  onSubmit,
  children,
}: {
  error: string | null;
  busy: boolean;
  submitLabel: string;
  onSubmit: () => void;
  children: ReactNode;
}) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-5">
      {error && <Alert tone="danger">{error}</Alert>}
      {children}
      <Button type="submit" variant="primary" size="lg" busy={busy} className="mt-1 w-full">
        {submitLabel}
      </Button>
    </form>
  );
}

export const LARGE_INPUT: Pick<ComponentProps<"input">, "className"> = { className: "h-11" };

export const INLINE_LINK =
  "font-medium text-foreground underline decoration-border-strong underline-offset-4 hover:decoration-current";
