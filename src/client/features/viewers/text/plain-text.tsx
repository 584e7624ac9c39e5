import { useMemo } from 'react'
import { ScrollArea } from '../../../ui/scroll-area.tsx'
import { visibleName } from '../../../ui/visible-name.ts'
import { piecesOfText } from './text-pieces.ts'
import styles from './text.module.css'

/** The part of a text that is shown, in characters. */
const maxShown = 1024 * 1024

/** Shows a text, or its beginning, as it is. The browser lays out only the pieces that are near the visible area. */
export function PlainText({ name, text }: { readonly name: string; readonly text: string }) {
  const pieces = useMemo(() => piecesOfText(text.slice(0, maxShown)), [text])
  return (
    <ScrollArea className={styles.scroller} label={visibleName(name)}>
      <pre className={styles.text} dir="auto">
        {pieces.map((piece, index) => (
          // A piece has no other identity than its place.
          <span key={index} className={styles.piece}>
            {piece}
          </span>
        ))}
      </pre>
    </ScrollArea>
  )
}
