import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { t } from '../../../i18n/translate.ts'
import { isRightToLeft } from '../../../ui/direction/direction.ts'
import { isCtrlPressed } from '../../../ui/keyboard/keys.ts'
import { useFixedRows } from '../rows/use-fixed-rows.ts'
import { useFocusAfterMove } from '../rows/use-focus-after-move.ts'
import { shownValue } from '../rows/shown-value.ts'
import type { JsonCommand, JsonContent, JsonRow } from './json-messages.ts'
import { JsonItem } from './json-item.tsx'
import { moveAfterKey } from './row-moves.ts'
import rowStyles from '../rows/rows.module.css'
import styles from './tree.module.css'

type JsonRowsProps = {
  readonly label: string
  readonly content: JsonContent
  readonly send: (command: JsonCommand) => void
}

/** The keys that the tree handles even when they have no effect. */
const movingKeys = [
  'ArrowDown',
  'ArrowUp',
  'ArrowLeft',
  'ArrowRight',
  'Home',
  'End',
  'PageUp',
  'PageDown',
  'Enter',
]

/** Renders the rows of a tree that are near the view, and below them the path and the whole value of the active row. */
export function JsonRows({ label, content, send }: JsonRowsProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const [chosen, setChosen] = useState(0)
  const { shown, window, rows: known } = content
  const rows = useFixedRows({ scroller, count: shown, hasHeader: false })
  // The row may have gone with a container that was closed, or with a change of the text.
  const active = Math.max(0, Math.min(chosen, shown - 1))
  const { first, end } = rows.range
  useEffect(() => send({ kind: 'show', window: { first, end, active } }), [send, first, end, active])
  const focusActive = useFocusAfterMove(scroller)
  const activeRow =
    known.find(({ index }) => index === active) ??
    (content.active?.row.index === active ? content.active.row : undefined)

  const focus = (row: number): void => {
    setChosen(row)
    rows.show(row)
    focusActive()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const isCopy = event.key === 'c' && isCtrlPressed(event) && String(getSelection()) === ''
    const hasModifier = event.altKey || event.metaKey || event.ctrlKey
    if (!isCopy && (hasModifier || !movingKeys.includes(event.key))) return
    event.preventDefault()
    event.stopPropagation()
    if (isCopy) send({ kind: 'copy', part: 'value' })
    if (isCopy || activeRow === undefined) return
    const move = moveAfterKey(event.key, {
      active: activeRow,
      shown,
      perView: rows.perView,
      isRightToLeft: isRightToLeft(),
    })
    if (move?.kind === 'focus') focus(move.row)
    if (move?.kind === 'toggle') send({ kind: 'toggle', row: active })
  }
  const onPress = ({ index, size }: JsonRow): void => {
    setChosen(index)
    if (size > 0) send({ kind: 'toggle', row: index })
  }
  const rendered = activeRow === undefined || known.includes(activeRow) ? known : [...known, activeRow]
  return (
    <>
      <div ref={scroller} className={rowStyles.scroller}>
        <div
          role="tree"
          tabIndex={-1}
          aria-label={label}
          className={styles.tree}
          style={{ blockSize: rows.heightPx }}
          onKeyDown={onKeyDown}
        >
          {rendered.map((row) => (
            <JsonItem
              key={row.index}
              row={row}
              isActive={row.index === active}
              topPx={rows.topOf(row.index)}
              heightPx={rows.rowPx}
              onFocus={() => setChosen(row.index)}
              onPress={() => onPress(row)}
            />
          ))}
        </div>
      </div>
      <div className={rowStyles.active} data-part="value" role="note" aria-label={t('viewer.value')}>
        {window.active === active && content.active !== null && (
          <>
            <code className={styles.path}>{content.active.path}</code>{' '}
            <bdi>{shownValue(content.active.text)}</bdi>
          </>
        )}
      </div>
    </>
  )
}
