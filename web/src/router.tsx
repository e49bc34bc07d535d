/** Every page and its address. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  parseSearchWith,
  redirect,
  stringifySearchWith,
} from "@tanstack/react-router";
import { client, session } from "@/api/queries";
import { isOwnPage, safeNext } from "@/lib/next";
import { Crash, NotFound } from "@/shell/not-found";
import { Shell } from "@/shell/shell";
import { Toasts } from "@/ui/toast";

const text = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);

const root = createRootRoute({
  component: () => (
    <>
      <Outlet />
      <Toasts />
    </>
  ),
  notFoundComponent: NotFound,
});

const start = createRoute({
  getParentRoute: () => root,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/dashboard", replace: true });
  },
});

/** Pages for people who are not signed in; those who are go on. */
const door = createRoute({
  getParentRoute: () => root,
  id: "door",
  validateSearch: (
    search: Record<string, unknown>,
  ): { next?: string | undefined; invite?: string | undefined; token?: string | undefined } => ({
    next: text(search["next"]),
    invite: text(search["invite"]),
    token: text(search["token"]),
  }),
  errorComponent: Crash,
});
const auth = () => import("@/pages/auth");
const skipSignedIn = async ({ search }: { search: { next?: string | undefined } }) => {
  const known = await client.fetchQuery({ ...session, staleTime: 0 }).catch(() => null);
  if (!known?.account) return;
  const next = safeNext(search.next);
  if (isOwnPage(next)) throw redirect({ href: next, replace: true });
  window.location.replace(next);
  // The browser is leaving.
  await new Promise(() => undefined);
};
const doors = [
  createRoute({
    getParentRoute: () => door,
    path: "/sign-in",
    beforeLoad: skipSignedIn,
    component: lazyRouteComponent(auth, "SignIn"),
  }),
  createRoute({
    getParentRoute: () => door,
    path: "/sign-up",
    beforeLoad: skipSignedIn,
    component: lazyRouteComponent(auth, "SignUp"),
  }),
  createRoute({ getParentRoute: () => door, path: "/forgot", component: lazyRouteComponent(auth, "Forgot") }),
  createRoute({ getParentRoute: () => door, path: "/reset", component: lazyRouteComponent(auth, "Reset") }),
];

/** Pages that need an account. */
const home = createRoute({
  getParentRoute: () => root,
  id: "home",
  beforeLoad: async ({ location }) => {
    const known = await client.ensureQueryData(session);
    if (!known.account)
      throw redirect({ to: known.firstAccount ? "/sign-up" : "/sign-in", search: { next: location.href } });
  },
  component: Shell,
  errorComponent: Crash,
  notFoundComponent: NotFound,
});

const page = <const P extends string>(path: P, load: Parameters<typeof lazyRouteComponent>[0], name: string) =>
  createRoute({ getParentRoute: () => home, path, component: lazyRouteComponent(load, name) });

export const overviewRoute = page("/dashboard", () => import("@/pages/overview"), "Overview");
export const rendersRoute = createRoute({
  getParentRoute: () => home,
  path: "/dashboard/renders",
  validateSearch: (search: Record<string, unknown>): { status?: string | undefined; mode?: string | undefined } => ({
    status: text(search["status"]),
    mode: text(search["mode"]),
  }),
  component: lazyRouteComponent(() => import("@/pages/renders"), "Renders"),
});
export const renderRoute = page("/dashboard/renders/$jobId", () => import("@/pages/render"), "Render");
export const templatesRoute = createRoute({
  getParentRoute: () => home,
  path: "/dashboard/templates",
  validateSearch: (
    search: Record<string, unknown>,
  ): { category?: string | undefined; search?: string | undefined } => ({
    category: text(search["category"]),
    search: text(search["search"]),
  }),
  component: lazyRouteComponent(() => import("@/pages/templates"), "Templates"),
});
export const templateRoute = page("/dashboard/templates/$templateId", () => import("@/pages/template"), "TemplatePage");
export const projectRoute = page("/dashboard/projects/$projectId", () => import("@/pages/project"), "ProjectPage");
export const editRoute = page("/edit/$projectId", () => import("@/pages/project"), "EditPage");
export const webhookRoute = page("/dashboard/webhooks/$webhookId", () => import("@/pages/webhook"), "WebhookPage");

const others = [
  page("/dashboard/projects", () => import("@/pages/projects"), "Projects"),
  page("/dashboard/playground", () => import("@/pages/playground"), "Playground"),
  page("/dashboard/keys", () => import("@/pages/keys"), "Keys"),
  page("/dashboard/webhooks", () => import("@/pages/webhooks"), "Webhooks"),
  page("/dashboard/usage", () => import("@/pages/usage"), "Usage"),
  page("/dashboard/apps", () => import("@/pages/apps"), "Apps"),
  page("/dashboard/settings", () => import("@/pages/settings"), "Settings"),
  page("/dashboard/operator/accounts", () => import("@/pages/operator-accounts"), "OperatorAccounts"),
  page("/dashboard/operator/invites", () => import("@/pages/operator-invites"), "OperatorInvites"),
  page("/dashboard/operator/queue", () => import("@/pages/operator-queue"), "OperatorQueue"),
];

const tree = root.addChildren([
  start,
  door.addChildren(doors),
  home.addChildren([
    overviewRoute,
    rendersRoute,
    renderRoute,
    templatesRoute,
    templateRoute,
    projectRoute,
    editRoute,
    webhookRoute,
    ...others,
  ]),
]);

export const router = createRouter({
  routeTree: tree,
  // Parameters are text, also where they look like numbers.
  parseSearch: parseSearchWith((value) => value),
  stringifySearch: stringifySearchWith(String),
  defaultPreload: "intent",
  scrollRestoration: true,
  defaultErrorComponent: Crash,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
