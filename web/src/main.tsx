/** The entry point. */
import { type QueryCache, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { setNonce } from "get-nonce";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ApiError } from "@/api/http";
import { queryClient } from "@/api/queries";
import { cspNonce } from "@/lib/csp";
import { router } from "./router";
import "@/styles.css";

setNonce(cspNonce);

// When the session has expired, redirect to sign-in.
const cache: QueryCache = queryClient.getQueryCache();
cache.config.onError = (error) => {
  if (error instanceof ApiError && error.status === 401) {
    queryClient.removeQueries({ queryKey: ["session"] });
    void router.invalidate();
  }
};

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}
