/** The frame around every page of an account: navigation, balance, the stream. */
import { useSuspenseQuery } from "@tanstack/react-query";
import { Link, Navigate, Outlet, useRouter, useRouterState } from "@tanstack/react-router";
import { BookOpen, ChevronsUpDown, LogOut, Menu, Monitor, Moon, Settings, Sun, WifiOff, X } from "lucide-react";
import { Dialog } from "radix-ui";
import { useEffect, useRef, useState } from "react";
import { own } from "@/api/http";
import { useLive } from "@/api/live";
import { client, session } from "@/api/queries";
import type { Account } from "@/api/types";
import { number, words } from "@/lib/format";
import { chooseTheme, useTheme } from "@/lib/theme";
import { Dropdown, Item, Logo, RadioItems } from "@/ui/bits";
import { complain } from "@/ui/toast";
import { BUILD, MAKE, OPERATE } from "./nav";

export function Shell() {
  const { data } = useSuspenseQuery(session);
  const account = data.account;
  const here = useRouterState({ select: (state) => state.location.href });
  return account ? <Frame account={account} /> : <Navigate to="/sign-in" search={{ next: here }} replace />;
}

function Frame({ account }: { account: Account }) {
  const live = useLive();
  const [drawer, setDrawer] = useState(false);
  const path = useRouterState({ select: (state) => state.location.pathname });
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  useEffect(() => {
    setDrawer(false);
    // A page that changes without loading: readers and keyboards start at its content.
    if (first.current) first.current = false;
    else main.current?.focus({ preventScroll: true });
  }, [path]);
  return (
    <div className="min-h-dvh lg:pl-62">
      <a
        href="#content"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-lg bg-ink px-4 py-2 text-on-ink focus:translate-y-0"
      >
        Skip to the content
      </a>
      <aside className="fixed inset-y-0 left-0 z-20 hidden w-62 border-r bg-sunken lg:block">
        <Sidebar account={account} />
      </aside>
      <div className="sticky top-0 z-20 flex h-14 items-center justify-between border-b bg-ground/85 px-4 backdrop-blur-md lg:hidden">
        <Brand />
        <Dialog.Root open={drawer} onOpenChange={setDrawer}>
          <Dialog.Trigger
            className="grid size-10 place-items-center rounded-lg hover:bg-hover"
            aria-label="Open the menu"
          >
            <Menu className="size-5" />
          </Dialog.Trigger>
          <Dialog.Portal>
            <Dialog.Overlay className="fixed inset-0 z-40 animate-appear bg-black/45" />
            <Dialog.Content
              aria-describedby={undefined}
              className="fixed inset-y-0 left-0 z-50 w-72 max-w-[86vw] animate-slide border-r bg-sunken shadow-float outline-none"
            >
              <Dialog.Title className="sr-only">Menu</Dialog.Title>
              <Dialog.Close
                className="absolute top-3 right-3 grid size-9 place-items-center rounded-lg text-quiet hover:bg-hover"
                aria-label="Close the menu"
              >
                <X className="size-5" />
              </Dialog.Close>
              <Sidebar account={account} />
            </Dialog.Content>
          </Dialog.Portal>
        </Dialog.Root>
      </div>
      {!live && (
        <p
          role="status"
          className="fixed bottom-4 left-1/2 z-30 flex -translate-x-1/2 animate-rise items-center gap-2 rounded-full border bg-surface px-3.5 py-1.5 text-[13px] shadow-float lg:left-[calc(50%+124px)]"
        >
          <WifiOff className="size-3.5 text-warn" aria-hidden="true" /> Live updates are paused, connecting again
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

function Brand() {
  return (
    <Link
      to="/dashboard"
      className="flex items-center gap-2.5 rounded-lg pr-2 text-[17px] font-semibold tracking-[-0.02em]"
    >
      <Logo className="size-6.5" /> Rondo
    </Link>
  );
}

function Sidebar({ account }: { account: Account }) {
  return (
    <div className="flex h-full flex-col overflow-y-auto px-3 pt-4 pb-3">
      <div className="mb-5 px-2.5">
        <Brand />
      </div>
      <nav aria-label="Dashboard" className="flex flex-col gap-6">
        <Group places={MAKE} />
        <Group title="Account" places={BUILD} />
        {account.isOperator && <Group title="Operator" places={OPERATE} />}
      </nav>
      <div className="mt-auto pt-6">
        <Balance account={account} />
        <Person account={account} />
      </div>
    </div>
  );
}

function Group({ title, places }: { title?: string; places: typeof MAKE }) {
  return (
    <div>
      {title && <p className="mb-1.5 px-2.5 text-xs font-medium text-quiet">{title}</p>}
      <ul className="flex flex-col gap-px">
        {places.map(({ to, label, icon: Icon, exact }) => (
          <li key={to}>
            <Link
              to={to}
              activeOptions={{ exact: exact ?? false, includeSearch: false }}
              className="flex h-9 items-center gap-2.5 rounded-lg px-2.5 font-medium text-quiet transition-colors hover:bg-hover hover:text-text lg:h-8.5"
              activeProps={{ className: "bg-chosen! text-text! shadow-card ring-1 ring-line [&_svg]:text-accent" }}
            >
              <Icon className="size-4 shrink-0" aria-hidden="true" /> {label}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Balance({ account }: { account: Account }) {
  return (
    <Link
      to="/dashboard/usage"
      className="mb-2 block rounded-xl border bg-surface px-3.5 py-3 shadow-card transition-colors hover:border-edge"
    >
      <span className="flex items-center justify-between text-xs text-quiet">
        Credits <span>{account.plan === "none" ? "No plan" : words(account.plan)}</span>
      </span>
      <span className="nums mt-0.5 block text-xl font-semibold tracking-[-0.02em]">{number(account.credits)}</span>
    </Link>
  );
}

function Person({ account }: { account: Account }) {
  const router = useRouter();
  const theme = useTheme();
  const version = useSuspenseQuery(session).data.version;
  const signOut = async () => {
    try {
      await own("post", "/session/sign-out");
      client.clear();
      await router.navigate({ to: "/sign-in" });
    } catch (error) {
      complain(error);
    }
  };
  return (
    <Dropdown
      align="start"
      trigger={
        <button type="button" className="flex w-full items-center gap-2.5 rounded-lg p-2 text-left hover:bg-hover">
          <span
            aria-hidden="true"
            className="grid size-8 shrink-0 place-items-center rounded-full bg-linear-to-br from-[#ff8a5c] to-[#e5488a] text-[13px] font-semibold text-[#2a0d08]"
          >
            {(account.name || account.email).trim().charAt(0).toUpperCase()}
          </span>
          <span className="min-w-0 flex-1 leading-tight">
            <span className="block truncate font-medium">{account.name || "No name"}</span>
            <span className="block truncate text-xs text-quiet">{account.email}</span>
          </span>
          <ChevronsUpDown className="size-4 shrink-0 text-quiet" aria-hidden="true" />
        </button>
      }
    >
      <div className="flex items-center justify-between gap-4 px-2.5 py-1.5">
        <span className="text-[13px] text-quiet" aria-hidden="true">
          Theme
        </span>
        <RadioItems
          value={theme}
          onChange={chooseTheme}
          options={[
            ["system", "System", <Monitor key="s" />],
            ["light", "Light", <Sun key="l" />],
            ["dark", "Dark", <Moon key="d" />],
          ]}
        />
      </div>
      <div className="my-1 h-px bg-line" aria-hidden="true" />
      <Item icon={<Settings />} onSelect={() => void router.navigate({ to: "/dashboard/settings" })}>
        Settings
      </Item>
      <Item icon={<BookOpen />} onSelect={() => window.location.assign("/docs")}>
        Documentation
      </Item>
      <Item icon={<LogOut />} onSelect={() => void signOut()}>
        Sign out
      </Item>
      <p className="px-2.5 pt-1.5 pb-1 text-xs text-quiet" aria-hidden="true">
        Rondo {version}
      </p>
    </Dropdown>
  );
}
