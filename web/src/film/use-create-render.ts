/** Creates a render and opens its page. */
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api } from "@/api/http";
import { queryClient } from "@/api/queries";
import type { RenderBody } from "@/api/types";
import { showError } from "@/ui/toast";

export function useCreateRender() {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (body: RenderBody) => api("post", "/renders", { body }),
    onSuccess: async ({ jobId }) => {
      void queryClient.invalidateQueries({ queryKey: ["renders"] });
      void queryClient.invalidateQueries({ queryKey: ["projects"] });
      await navigate({ to: "/dashboard/renders/$jobId", params: { jobId } });
    },
    onError: showError,
  });
}
