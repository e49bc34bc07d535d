/** The actions of the region "Canvas". */

import type { Action } from "@/editor/actions";

export const actions: readonly Action[] = [];
