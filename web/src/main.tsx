import { type QueryCache, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { setNonce } from "get-nonce";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ApiFailure } from "@/api/http";
import { client } from "@/api/queries";
import { cspNonce } from "@/lib/nonce";
import { router } from "@/router";
import "@/styles.css";

setNonce(cspNonce);

// A session that has ended: the next page asks to sign in and comes back.
const cache: QueryCache = client.getQueryCache();
cache.config.onError = (error) => {
  if (error instanceof ApiFailure && error.status === 401) {
    client.removeQueries({ queryKey: ["session"] });
    void router.invalidate();
  }
};

const place = document.getElementById("root");
if (place) {
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}
