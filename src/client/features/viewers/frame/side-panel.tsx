import type { KeyboardEvent, ReactNode } from 'react'
import styles from './side-panel.module.css'

type SidePanelProps = {
  /** The name of the panel for screen readers. Null for a panel with one area, which has the name. */
  readonly label: string | null
  readonly part?: string
  readonly width: 'narrow' | 'wide'
  readonly onClose: () => void
  readonly children: ReactNode
}

/**
 * Renders a panel beside the content of a viewer. In a narrow window it covers the content. The buttons to the other files make room
 * for it. Escape closes it.
 */
export function SidePanel({ label, part, width, onClose, children }: SidePanelProps) {
  const keys = {
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      event.stopPropagation()
      onClose()
    },
  }
  const Panel = label === null ? 'div' : 'aside'
  return (
    <Panel
      {...keys}
      className={styles.panel}
      aria-label={label ?? undefined}
      data-part={part}
      data-side-panel={width}
    >
      {children}
    </Panel>
  )
}

/** Moves the focus to another button of a list with the arrow keys, Home and End. */
export function moveFocusInList(event: KeyboardEvent<HTMLElement>): void {
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('button:enabled')]
  const at = buttons.findIndex((button) => button === event.target)
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key]
  if (next === undefined || at === -1) return
  event.preventDefault()
  event.stopPropagation()
  buttons[next]?.focus()
}
