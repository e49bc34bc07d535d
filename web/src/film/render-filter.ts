/** What a list of renders can be filtered by. */
import type { RenderFilter } from "@/api/types";

export const RENDER_STATUSES = ["PENDING", "PROCESSING", "COMPLETED", "FAILED"] as const satisfies NonNullable<
  RenderFilter["status"]
>[];
export const RENDER_DAYS = ["1", "7", "30"] as const;
export const RENDER_MODES = ["direct", "template", "project"] as const satisfies NonNullable<RenderFilter["mode"]>[];
