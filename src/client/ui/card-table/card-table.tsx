import type { ReactNode } from 'react'
import styles from './card-table.module.css'
import { classNames } from '../class-names.ts'

/**
 * Renders a table whose rows are cards while its container is narrow: grids of two columns, the second as wide as its
 * content. Screen readers keep the headings. The style sheet of the caller says which cells take a whole line.
 */
export const CardTable = ({
  className,
  children,
}: {
  readonly className?: string | undefined
  readonly children: ReactNode
}) => <table className={classNames(styles.cards, className)}>{children}</table>
