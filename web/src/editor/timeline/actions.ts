/** The actions of the region "Timeline". */

import type { Action } from "@/editor/actions";

export const actions: readonly Action[] = [];
