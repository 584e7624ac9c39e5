import { useState } from 'react'
import { CircleAlert, Copy, Info, Route } from 'lucide'
import { t } from '../../../i18n/translate.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { visibleName } from '../../../ui/visible-name.ts'
import type { TextSource } from '../rows/text-source.ts'
import { JsonRows } from './json-rows.tsx'
import type { JsonProblem } from './read-json.ts'
import { useJson } from './use-json.ts'
import styles from './tree.module.css'

type JsonViewProps = {
  readonly name: string
  readonly source: TextSource
  /** Called when the file cannot be read. Null for a text that is already here. */
  readonly onBroken: (() => void) | null
}

/**
 * Shows JSON as a tree. For an invalid text, it shows the values before the problem and the position of the problem.
 */
export function JsonView({ name, source, onBroken }: JsonViewProps) {
  const { content, send } = useJson({ name, source, onBroken })
  const [resets, setResets] = useState(0)
  // The rows are different after this, so the tree scrolls back to its top.
  const openOrCloseAll = (kind: 'open-all' | 'close-all'): void => {
    send({ kind })
    setResets(resets + 1)
  }
  if (content === null)
    return (
      <div className={styles.loading}>
        <Spinner size="large" />
        <output>{t('shell.loading')}</output>
      </div>
    )
  const { problem, isCut, values } = content
  return (
    <div className={styles.viewer} data-part="tree">
      <div className={styles.bar} role="toolbar" aria-label={t('viewer.treeTools')}>
        <Button kind="quiet" onClick={() => openOrCloseAll('open-all')}>
          {t('viewer.expandAll')}
        </Button>
        <Button kind="quiet" onClick={() => openOrCloseAll('close-all')}>
          {t('viewer.collapseAll')}
        </Button>
        <IconButton
          icon={Copy}
          label={t('viewer.copyValue')}
          onClick={() => send({ kind: 'copy', part: 'value' })}
        />
        <IconButton
          icon={Route}
          label={t('viewer.copyPath')}
          onClick={() => send({ kind: 'copy', part: 'path' })}
        />
      </div>
      {problem !== null && (
        <Banner kind="danger" icon={CircleAlert}>
          <output>{problemText(problem)}</output>
        </Banner>
      )}
      {isCut && <Banner icon={Info}>{t('viewer.valueLimit', { count: values })}</Banner>}
      <JsonRows key={resets} label={visibleName(name)} content={content} send={send} />
      <footer className={styles.footer}>
        <output data-part="value-count">{t('viewer.values', { count: values })}</output>
      </footer>
    </div>
  )
}

function problemText({ line, column, found }: JsonProblem): string {
  if (found === '') return t('viewer.jsonEnds', { line, column })
  const isVisible = /[^\s\p{C}]/u.test(found)
  return isVisible
    ? t('viewer.jsonProblem', { line, column, found })
    : t('viewer.jsonPlace', { line, column })
}
