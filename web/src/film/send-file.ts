/** Uploads a file of this computer. */
import { api } from "@/api/http";
import { queryClient } from "@/api/queries";
import { ownFontsChanged } from "./own-fonts";

/** Types that browsers do not know by the name of a file. */
const TYPES: Record<string, string> = { ttf: "font/ttf", otf: "font/otf", woff: "font/woff", woff2: "font/woff2" };

/** Sends the file and returns the upload. */
export async function sendFile(file: File): Promise<{ id: string; fileUrl: string }> {
  const ending = file.name.split(".").at(-1)?.toLowerCase() ?? "";
  const contentType = file.type || (TYPES[ending] ?? "application/octet-stream");
  const name = file.name.trim().slice(0, 200);
  const upload = await api("post", "/uploads", {
    body: { contentType, size: Math.max(file.size, 1), ...(name ? { name } : {}) },
  });
  const response = await fetch(upload.uploadUrl, {
    method: "PUT",
    body: file,
    headers: { "content-type": contentType },
  });
  if (!response.ok) throw new Error(((await response.json()) as { error?: string }).error ?? "Upload failed.");
  if (contentType.startsWith("font/")) await ownFontsChanged();
  for (const key of ["media", "account"]) void queryClient.invalidateQueries({ queryKey: [key] });
  return upload;
}
