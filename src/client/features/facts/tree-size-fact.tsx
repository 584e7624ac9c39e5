import type { Path } from '../../../shared/domain/path.ts'
import { offers } from '../../api/config.ts'
import { formatSize } from '../../i18n/format.ts'
import { t, type PlainMessageId } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { Fact, SizeText } from './fact.tsx'
import { noTotals, sumOf, type TreeTotals } from '../../operations/folder-size/folder-totals.ts'
import { type Measurement, useMeasurement } from '../../operations/folder-size/use-measurement.ts'
import styles from './facts.module.css'

type TreeSizeFactProps = {
  readonly folders: readonly Path[]
  /** The selected entries themselves, when several are selected. They are added to what the folders contain. */
  readonly selected?: TreeTotals
}

/**
 * Renders the size of folders with everything in them. The size is counted when the user asks for it, because the
 * server has to read every folder. Nothing is rendered for a server that cannot count.
 */
export function TreeSizeFact({ folders, selected = noTotals }: TreeSizeFactProps) {
  const { measurement, start, cancel } = useMeasurement(folders)
  const isRunning = measurement.kind === 'running'
  if (!offers('du')) return null
  return (
    <Fact label={t('prompt.info.size')}>
      <span className={styles.size}>
        <output>
          <MeasuredSize measurement={measurement} selected={selected} />
        </output>
        <Button onClick={isRunning ? cancel : start}>{t(labelOf[measurement.kind])}</Button>
      </span>
    </Fact>
  )
}

/** The button stays the same element in each state, so that it keeps the focus. */
const labelOf: Readonly<Record<Measurement['kind'], PlainMessageId>> = {
  idle: 'buttons.calculate',
  running: 'buttons.cancel',
  complete: 'buttons.calculateAgain',
  failed: 'buttons.retry',
}

type MeasuredSizeProps = { readonly measurement: Measurement; readonly selected: TreeTotals }

function MeasuredSize({ measurement, selected }: MeasuredSizeProps) {
  if (measurement.kind === 'idle')
    return selected.sizeBytes > 0 && t('prompt.info.withoutFolders', { size: formatSize(selected.sizeBytes) })
  if (measurement.kind === 'failed') return <span className={styles.problem}>{measurement.reason}</span>
  const { sizeBytes, files, folders, unreachable } = sumOf(measurement.totals, selected)
  if (measurement.kind === 'running')
    return (
      <span className={styles.running}>
        <Spinner /> {t('prompt.info.sizeSoFar', { size: formatSize(sizeBytes) })}
      </span>
    )
  return (
    <>
      <SizeText sizeBytes={sizeBytes} />
      <span className={styles.second}>{t('prompt.info.below', { files, folders })}</span>
      {unreachable > 0 && (
        <span className={styles.problem}>{t('prompt.info.unreachable', { count: unreachable })}</span>
      )}
    </>
  )
}
