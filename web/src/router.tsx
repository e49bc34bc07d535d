/** Routes. */

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
import { queryClient, session } from "@/api/queries";
import type { RenderFilter } from "@/api/types";
import { RENDER_DAYS, RENDER_MODES, RENDER_STATUSES } from "@/film/render-filter";
import { AppLayout } from "@/layout/app-layout";
import { ErrorPage, NotFoundPage } from "@/layout/error-pages";
import { oneOf } from "@/lib/one-of";
import { isAppPath, safeRedirect } from "@/lib/redirect";
import { Toaster } from "@/ui/toast";

const text = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);

const root = createRootRoute({
  component: () => (
    <>
      <Outlet />
      <Toaster />
    </>
  ),
  notFoundComponent: NotFoundPage,
});

const start = createRoute({
  getParentRoute: () => root,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/dashboard", replace: true });
  },
});

/** Pages for visitors. Signed-in users are redirected. */
const auth = createRoute({
  getParentRoute: () => root,
  id: "auth",
  validateSearch: (
    search: Record<string, unknown>,
  ): { next?: string | undefined; invite?: string | undefined; token?: string | undefined } => ({
    next: text(search["next"]),
    invite: text(search["invite"]),
    token: text(search["token"]),
  }),
  errorComponent: ErrorPage,
});
const skipSignedIn = async ({ search }: { search: { next?: string | undefined } }) => {
  const current = await queryClient.fetchQuery({ ...session, staleTime: 0 }).catch(() => null);
  if (!current?.account) return;
  const next = safeRedirect(search.next);
  if (isAppPath(next)) throw redirect({ href: next, replace: true });
  window.location.replace(next);
  // The browser is navigating away.
  await new Promise(() => undefined);
};
const authPages = [
  createRoute({
    getParentRoute: () => auth,
    path: "/sign-in",
    beforeLoad: skipSignedIn,
    component: lazyRouteComponent(() => import("@/pages/sign-in"), "SignInPage"),
  }),
  createRoute({
    getParentRoute: () => auth,
    path: "/sign-up",
    beforeLoad: skipSignedIn,
    component: lazyRouteComponent(() => import("@/pages/sign-up"), "SignUpPage"),
  }),
  createRoute({
    getParentRoute: () => auth,
    path: "/forgot",
    component: lazyRouteComponent(() => import("@/pages/forgot-password"), "ForgotPasswordPage"),
  }),
  createRoute({
    getParentRoute: () => auth,
    path: "/reset",
    component: lazyRouteComponent(() => import("@/pages/reset-password"), "ResetPasswordPage"),
  }),
];

const requireAccount = async ({ location }: { location: { href: string } }) => {
  const current = await queryClient.ensureQueryData(session);
  if (!current.account)
    throw redirect({ to: current.firstAccount ? "/sign-up" : "/sign-in", search: { next: location.href } });
};

/** Pages that require an account. */
const home = createRoute({
  getParentRoute: () => root,
  id: "home",
  beforeLoad: requireAccount,
  component: AppLayout,
  errorComponent: ErrorPage,
  notFoundComponent: NotFoundPage,
});

// `load` is untyped: the types of pages depend on the type of the router.
const page = <const P extends string>(path: P, load: Parameters<typeof lazyRouteComponent>[0], name: string) =>
  createRoute({ getParentRoute: () => home, path, component: lazyRouteComponent(load, name) });

const overviewRoute = page("/dashboard", () => import("@/pages/overview"), "OverviewPage");
const rendersRoute = createRoute({
  getParentRoute: () => home,
  path: "/dashboard/renders",
  validateSearch: (search: Record<string, unknown>): RenderFilter => ({
    status: oneOf(search["status"], RENDER_STATUSES),
    mode: oneOf(search["mode"], RENDER_MODES),
    days: oneOf(search["days"], RENDER_DAYS),
    search: text(search["search"]),
  }),
  component: lazyRouteComponent(() => import("@/pages/renders"), "RendersPage"),
});
const renderRoute = page("/dashboard/renders/$jobId", () => import("@/pages/render"), "RenderPage");
const templatesRoute = createRoute({
  getParentRoute: () => home,
  path: "/dashboard/templates",
  validateSearch: (
    search: Record<string, unknown>,
  ): { category?: string | undefined; aspect?: string | undefined; search?: string | undefined } => ({
    category: text(search["category"]),
    aspect: text(search["aspect"]),
    search: text(search["search"]),
  }),
  component: lazyRouteComponent(() => import("@/pages/templates"), "TemplatesPage"),
});
const templateRoute = page("/dashboard/templates/$templateId", () => import("@/pages/template"), "TemplatePage");
const projectRoute = page("/dashboard/projects/$projectId", () => import("@/pages/project"), "ProjectPage");
/** The editor fills the window: it has the account, and not the layout of the dashboard. */
const account = createRoute({
  getParentRoute: () => root,
  id: "account",
  beforeLoad: requireAccount,
  errorComponent: ErrorPage,
  notFoundComponent: NotFoundPage,
});
const editRoute = createRoute({
  getParentRoute: () => account,
  path: "/edit/$projectId",
  component: lazyRouteComponent(() => import("@/pages/edit"), "EditPage"),
});
const webhookRoute = page("/dashboard/webhooks/$webhookId", () => import("@/pages/webhook"), "WebhookPage");

const others = [
  page("/edit/new", () => import("@/pages/new-film"), "NewFilmPage"),
  page("/dashboard/projects", () => import("@/pages/projects"), "ProjectsPage"),
  page("/dashboard/media", () => import("@/pages/media"), "MediaPage"),
  page("/dashboard/brand", () => import("@/pages/brand"), "BrandPage"),
  page("/dashboard/playground", () => import("@/pages/playground"), "PlaygroundPage"),
  page("/dashboard/keys", () => import("@/pages/api-keys"), "ApiKeysPage"),
  page("/dashboard/webhooks", () => import("@/pages/webhooks"), "WebhooksPage"),
  page("/dashboard/destinations", () => import("@/pages/destinations"), "DestinationsPage"),
  page("/dashboard/usage", () => import("@/pages/usage"), "UsagePage"),
  page("/dashboard/apps", () => import("@/pages/connected-apps"), "ConnectedAppsPage"),
  page("/dashboard/audit", () => import("@/pages/audit-log"), "AuditLogPage"),
  page("/dashboard/settings", () => import("@/pages/settings"), "SettingsPage"),
  page("/dashboard/operator/accounts", () => import("@/pages/operator-accounts"), "AccountsPage"),
  page("/dashboard/operator/invites", () => import("@/pages/operator-invites"), "InvitesPage"),
  page("/dashboard/operator/audit", () => import("@/pages/audit-log"), "OperatorAuditLogPage"),
  page("/dashboard/operator/queue", () => import("@/pages/operator-queue"), "QueuePage"),
];

const tree = root.addChildren([
  start,
  auth.addChildren(authPages),
  home.addChildren([
    overviewRoute,
    rendersRoute,
    renderRoute,
    templatesRoute,
    templateRoute,
    projectRoute,
    webhookRoute,
    ...others,
  ]),
  account.addChildren([editRoute]),
]);

export const router = createRouter({
  routeTree: tree,
  // Search parameters stay strings, even if they look like numbers.
  parseSearch: parseSearchWith((value) => value),
  stringifySearch: stringifySearchWith(String),
  defaultPreload: "intent",
  scrollRestoration: true,
  defaultErrorComponent: ErrorPage,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
