/** The layout of every page behind the sign-in. */

import { useSuspenseQuery } from "@tanstack/react-query";
import { Outlet, useRouter, useRouterState } from "@tanstack/react-router";
import { Menu, WifiOff, X } from "lucide-react";
import { Dialog } from "radix-ui";
import { useEffect, useRef, useState } from "react";
import { useAccountEvents } from "@/api/events";
import { session } from "@/api/queries";
import type { Account } from "@/api/types";
import { Brand, Sidebar } from "./sidebar";

export function AppLayout() {
  const { data } = useSuspenseQuery(session);
  const router = useRouter();
  const account = data.account;
  // The session ended while the page was open. The route redirects to sign-in, once.
  useEffect(() => {
    if (!account) void router.invalidate();
  }, [account, router]);
  return account ? <Layout account={account} /> : null;
}

function Layout({ account }: { account: Account }) {
  const connected = useAccountEvents();
  const [menuOpen, setMenuOpen] = useState(false);
  const path = useRouterState({ select: (state) => state.location.pathname });
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the path changes.
  useEffect(() => {
    setMenuOpen(false);
    // Client-side navigation: move the focus to the new content.
    if (first.current) first.current = false;
    else main.current?.focus({ preventScroll: true });
  }, [path]);
  return (
    <div className="min-h-dvh lg:pl-62">
      <a
        href="#content"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-lg bg-primary px-4 py-2 text-on-primary focus:translate-y-0"
      >
        Skip to content
      </a>
      <aside className="fixed inset-y-0 left-0 z-20 hidden w-62 border-r bg-inset lg:block">
        <Sidebar account={account} />
      </aside>
      <div className="sticky top-0 z-20 flex h-14 items-center justify-between border-b bg-background/85 px-4 backdrop-blur-md lg:hidden">
        <Brand />
        <Dialog.Root open={menuOpen} onOpenChange={setMenuOpen}>
          <Dialog.Trigger className="grid size-10 place-items-center rounded-lg hover:bg-hover" aria-label="Open menu">
            <Menu className="size-5" />
          </Dialog.Trigger>
          <Dialog.Portal>
            <Dialog.Overlay className="fixed inset-0 z-40 animate-fade-in bg-black/45" />
            <Dialog.Content
              aria-describedby={undefined}
              className="fixed inset-y-0 left-0 z-50 w-72 max-w-[86vw] animate-slide-in border-r bg-inset shadow-float outline-none"
            >
              <Dialog.Title className="sr-only">Menu</Dialog.Title>
              <Dialog.Close
                className="absolute top-3 right-3 grid size-9 place-items-center rounded-lg text-muted hover:bg-hover"
                aria-label="Close menu"
              >
                <X className="size-5" />
              </Dialog.Close>
              <Sidebar account={account} />
            </Dialog.Content>
          </Dialog.Portal>
        </Dialog.Root>
      </div>
      {!connected && (
        <p
          role="status"
          className="fixed bottom-4 left-1/2 z-30 flex -translate-x-1/2 animate-pop-in items-center gap-2 rounded-full border bg-surface px-3.5 py-1.5 text-[13px] shadow-float lg:left-[calc(50%+124px)]"
        >
          <WifiOff className="size-3.5 text-warning" aria-hidden="true" /> Live updates paused. Reconnecting…
        </p>
      )}
      <main
        id="content"
        ref={main}
        tabIndex={-1}
        className="mx-auto w-full max-w-290 px-4 pt-7 pb-20 outline-none sm:px-8 lg:pt-10"
      >
        <Outlet />
      </main>
    </div>
  );
}
