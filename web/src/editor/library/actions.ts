/** The actions of the region "Library". */

import type { Action } from "@/editor/actions";

export const actions: readonly Action[] = [];
