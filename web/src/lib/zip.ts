/** Lists the files of a ZIP archive on a server, without downloading them. */

export interface ZipEntry {
  name: string;
  size: number;
}

export interface ZipListing {
  entries: ZipEntry[];
  total: number;
}

/** The end record has 22 bytes and a comment, which our archives do not have. */
const END_RECORD = 22;
const END_SIGNATURE = 0x06054b50;
const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_HEADER = 46;
/** Bytes of the list that are read; enough for some thousand names. */
const MOST_LIST_BYTES = 262_144;

async function readRange(url: string, range: string, signal: AbortSignal): Promise<DataView> {
  const response = await fetch(url, { headers: { range: `bytes=${range}` }, signal });
  if (response.status !== 206) throw new Error("The file cannot be read.");
  return new DataView(await response.arrayBuffer());
}

export async function listZip(url: string, signal: AbortSignal): Promise<ZipListing> {
  const end = await readRange(url, `-${END_RECORD}`, signal);
  if (end.byteLength < END_RECORD || end.getUint32(0, true) !== END_SIGNATURE)
    throw new Error("The file is not a ZIP archive.");
  const total = end.getUint16(10, true);
  const size = end.getUint32(12, true);
  const offset = end.getUint32(16, true);
  if (total === 0 || size === 0) return { entries: [], total };
  const list = await readRange(url, `${offset}-${offset + Math.min(size, MOST_LIST_BYTES) - 1}`, signal);
  return { entries: readEntries(list), total };
}

/** The entries that are complete in the bytes. */
function readEntries(list: DataView): ZipEntry[] {
  const decoder = new TextDecoder();
  const entries: ZipEntry[] = [];
  let at = 0;
  while (at + ENTRY_HEADER <= list.byteLength && list.getUint32(at, true) === ENTRY_SIGNATURE) {
    const nameLength = list.getUint16(at + 28, true);
    const next = at + ENTRY_HEADER + nameLength + list.getUint16(at + 30, true) + list.getUint16(at + 32, true);
    if (at + ENTRY_HEADER + nameLength > list.byteLength) break;
    entries.push({
      name: decoder.decode(new Uint8Array(list.buffer, list.byteOffset + at + ENTRY_HEADER, nameLength)),
      size: list.getUint32(at + 24, true),
    });
    at = next;
  }
  return entries;
}
