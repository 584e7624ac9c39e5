import { Fragment, type ReactNode } from 'react'
import { formatCount } from './locale.ts'
import { messagePieces, type MessageId, type ValuesOf } from './translate.ts'

/** The values of a message, in which an element may stand in the place of a text. */
type NodesOf<Values> = { readonly [Name in keyof Values]: Values[Name] extends number ? number : ReactNode }

type RichTextProps<Id extends MessageId> = {
  readonly id: Id
  readonly values: NodesOf<ValuesOf<Id>>
}

/**
 * Renders a message whose placeholders are replaced by elements, such as a name in bold, at the positions that the
 * translation gives them. Each element is isolated from the direction of the sentence.
 */
export function RichText<Id extends MessageId>({ id, values }: RichTextProps<Id>) {
  return messagePieces<ReactNode>(id, values as Readonly<Record<string, ReactNode>>).map((piece, at) =>
    typeof piece === 'string' ? (
      <Fragment key={`${at} text`}>{piece}</Fragment>
    ) : (
      <bdi key={`${at} value`}>
        {typeof piece.value === 'number' ? formatCount(piece.value) : piece.value}
      </bdi>
    ),
  )
}
