import { Fragment, type ReactNode } from 'react'
import { t } from './translate.ts'

type RichTextProps = {
  readonly id: string
  readonly values: Readonly<Record<string, ReactNode>>
}

/**
 * Renders a message whose placeholders are replaced by elements, such as a name in bold, at the positions that the
 * translation gives them.
 */
export function RichText({ id, values }: RichTextProps) {
  const marked = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'number' ? value : `\u0001${name}\u0001`,
    ]),
  )
  return t(id, marked)
    .split('\u0001')
    .map((part, at) => <Fragment key={`${at} ${part}`}>{at % 2 === 0 ? part : values[part]}</Fragment>)
}
