import type { ReactNode } from 'react'
import styles from './viewer-message.module.css'

type ViewerMessageProps = {
  readonly children: ReactNode
  /** True for a failure, which screen readers announce. */
  readonly isAlert?: boolean
}

/** Renders a message in the middle of the place where a viewer will show its file. */
export const ViewerMessage = ({ children, isAlert = false }: ViewerMessageProps) => (
  <div className={styles.message} role={isAlert ? 'alert' : undefined}>
    {children}
  </div>
)
