/** The actions of the region "Inspector". */

import type { Action } from "@/editor/actions";

export const actions: readonly Action[] = [];
