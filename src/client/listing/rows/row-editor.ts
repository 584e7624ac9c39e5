import type { ReactNode } from 'react'
import { createPersonalStore } from '../../state/personal.ts'

/** A field that stands in a row of the open folder in the place of the entry's name. */
export type RowEditor = { readonly name: string; readonly field: ReactNode }

/** The field in which the user renames an entry in its row, or null. The code of the prompts sets it. */
export const rowEditor = createPersonalStore<RowEditor | null>(null)
