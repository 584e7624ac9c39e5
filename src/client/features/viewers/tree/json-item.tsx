import type { CSSProperties } from 'react'
import { ChevronDown, ChevronRight } from 'lucide'
import { t } from '../../../i18n/translate.ts'
import { Icon, directed } from '../../../ui/icon.tsx'
import type { JsonRow } from './json-messages.ts'
import { isContainer } from './json-nodes.ts'
import styles from './tree.module.css'

type JsonItemProps = {
  readonly row: JsonRow
  readonly isActive: boolean
  readonly topPx: number
  readonly heightPx: number
  readonly onFocus: () => void
  readonly onPress: () => void
}

/** Rows of deeper levels are not indented further, so that they stay in view. */
const maxIndent = 20

/** Renders a row of a tree. A press opens or closes it. */
export function JsonItem({ row, isActive, topPx, heightPx, onFocus, onPress }: JsonItemProps) {
  const { key, kind, text, size, level, isOpen } = row
  return (
    <button
      type="button"
      role="treeitem"
      className={styles.row}
      style={{ top: topPx, blockSize: heightPx, '--indent': Math.min(level - 1, maxIndent) } as CSSProperties}
      tabIndex={isActive ? 0 : -1}
      data-active={isActive || undefined}
      aria-level={level}
      aria-posinset={row.position}
      aria-setsize={row.setSize}
      aria-selected={isActive}
      aria-expanded={size > 0 ? isOpen : undefined}
      onFocus={onFocus}
      onClick={onPress}
    >
      <span className={styles.chevron}>
        {size > 0 && <Icon icon={isOpen ? ChevronDown : directed(ChevronRight)} size={14} />}
      </span>
      {key !== null && (
        <span className={styles.key}>
          <bdi>{key}</bdi>
          {': '}
        </span>
      )}
      {isContainer(kind) ? (
        <span className={styles.size}>
          {t(kind === 'object' ? 'viewer.objectSize' : 'viewer.listSize', { count: size })}
        </span>
      ) : (
        <bdi className={styles.text} data-kind={kind}>
          {kind === 'string' ? `"${text}"` : text}
        </bdi>
      )}
    </button>
  )
}
