import type { ReactNode } from 'react'
import { Icon, type IconDrawing } from './icon.tsx'
import styles from './empty-state.module.css'

type EmptyStateProps = {
  readonly icon: IconDrawing
  readonly text: string
  /** A second line in a muted colour. */
  readonly note?: ReactNode
  /** Buttons and links with which the user can continue. */
  readonly children?: ReactNode
  /** True renders the text as the heading of the screen. */
  readonly isHeading?: boolean
}

/** Renders an icon and a sentence for an area without other content. */
export function EmptyState({ icon, text, note, children, isHeading = false }: EmptyStateProps) {
  const Text = isHeading ? 'h1' : 'p'
  return (
    <div className={styles.state}>
      <div className={styles.picture}>
        <Icon icon={icon} size={32} />
      </div>
      <Text className={styles.text} {...(isHeading && { tabIndex: -1 })}>
        {text}
      </Text>
      {note !== undefined && note !== false && <p className={styles.note}>{note}</p>}
      {children !== undefined && <div className={styles.ways}>{children}</div>}
    </div>
  )
}
