/** The chosen rows of a list by name, and the row from which a range of rows begins. */
export type RowChoice = { readonly names: ReadonlySet<string>; readonly anchor: string | null }

export const noRows: RowChoice = { names: new Set<string>(), anchor: null }

/** Adds a row to the choice, or removes it. */
export function toggleChoice({ names }: RowChoice, name: string): RowChoice {
  const others = [...names].filter((other) => other !== name)
  return { names: new Set(names.has(name) ? others : [...names, name]), anchor: name }
}

/** Adds all rows between the anchor and a row. `order` has the names of the rows from the top. */
export function extendChoice(choice: RowChoice, name: string, order: readonly string[]): RowChoice {
  const from = choice.anchor === null ? -1 : order.indexOf(choice.anchor)
  if (from === -1) return toggleChoice(choice, name)
  const to = order.indexOf(name)
  const range = order.slice(Math.min(from, to), Math.max(from, to) + 1)
  return { names: new Set([...choice.names, ...range]), anchor: choice.anchor }
}
