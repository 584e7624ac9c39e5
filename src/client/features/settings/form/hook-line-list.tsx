import { CircleCheck, Play, TriangleAlert } from 'lucide'
import { useState } from 'react'
import { callJson, isAborted } from '../../../api/call.ts'
import type { JsonOf } from '../../../api/call-options.ts'
import { useRelativeTime } from '../../../i18n/format.ts'
import { sentences } from '../../../i18n/joined-texts.ts'
import { t } from '../../../i18n/translate.ts'
import { reasonOf } from '../../../operations/reason.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { visibleName } from '../../../ui/visible-name.ts'
import { hookEndText } from './hook-end.ts'
import styles from './hook-line-list.module.css'
import type { HookWarning } from './hook-queries.ts'

type Trial =
  | { readonly kind: 'running' }
  | { readonly kind: 'ended'; readonly result: JsonOf<'hooks.try'> }
  | { readonly kind: 'failed'; readonly reason: string }

type HookLineListProps = {
  readonly event: string
  readonly lines: readonly string[]
  readonly warningOf: (event: string, line: string) => HookWarning | null
}

/** Renders the lines of an event with what is wrong with each, and a button that tries it. */
export const HookLineList = ({ event, lines, warningOf }: HookLineListProps) => (
  <ul className={styles.lines}>
    {[...new Set(lines)].map((line) => (
      <HookLineRow key={line} event={event} line={line} warning={warningOf(event, line)} />
    ))}
  </ul>
)

type HookLineRowProps = {
  readonly event: string
  readonly line: string
  readonly warning: HookWarning | null
}

function HookLineRow({ event, line, warning }: HookLineRowProps) {
  const [trial, setTrial] = useState<Trial | null>(null)
  const isRunning = trial?.kind === 'running'
  async function start(): Promise<void> {
    setTrial({ kind: 'running' })
    try {
      setTrial({ kind: 'ended', result: await callJson('hooks.try', { body: { event, line } }) })
    } catch (thrown) {
      setTrial(isAborted(thrown) ? null : { kind: 'failed', reason: reasonOf(thrown) })
    }
  }
  return (
    <li className={styles.line}>
      <code className={styles.text} dir="ltr">
        {visibleName(line)}
      </code>
      <Button
        icon={Play}
        isBusy={isRunning}
        aria-label={t('settings.hook.tryLine', { line: visibleName(line) })}
        title={t('settings.hook.try.hint')}
        onClick={() => void start()}
      >
        {t('settings.hook.try')}
      </Button>
      <div className={styles.state} aria-live="polite">
        {trial === null || isRunning ? (
          <Warning warning={warning} />
        ) : (
          <TrialState trial={trial} event={event} />
        )}
      </div>
    </li>
  )
}

function Warning({ warning }: { readonly warning: HookWarning | null }) {
  if (warning === null) return null
  return (
    <p className={styles.warning}>
      <Icon icon={TriangleAlert} size={14} />
      {warning.kind === 'failure' ? (
        <Failure {...warning} />
      ) : warning.fault === 'no-program' ? (
        t('settings.hook.noProgram', { program: visibleName(warning.program) })
      ) : (
        t('settings.hook.end.broken')
      )}
    </p>
  )
}

function Failure({ atMs, end, printed }: Extract<HookWarning, { readonly kind: 'failure' }>) {
  const time = useRelativeTime(atMs)
  const text = sentences(t('settings.hook.failed', { time }), hookEndText(end))
  return <span>{printed === '' ? text : `${text} ${visibleName(printed)}`}</span>
}

/** Lets the keys scroll an output. */
const makeScrollable = (output: HTMLPreElement | null): void => {
  if (output !== null) output.tabIndex = 0
}

function TrialState({
  trial,
  event,
}: {
  readonly trial: Exclude<Trial, { readonly kind: 'running' }>
  readonly event: string
}) {
  if (trial.kind === 'failed')
    return (
      <p className={styles.warning}>
        <Icon icon={TriangleAlert} size={14} />
        {sentences(t('settings.hook.notTried'), trial.reason)}
      </p>
    )
  const { result } = trial
  const isFine = result.end === 'exited' && result.status === 0
  const isRefusal = !isFine && event.startsWith('before_')
  return (
    <>
      <p className={isFine ? styles.fine : styles.warning}>
        <Icon icon={isFine ? CircleCheck : TriangleAlert} size={14} />
        {hookEndText(result)}
      </p>
      {isRefusal && (
        <p>
          {t('settings.hook.seen')}{' '}
          {result.reason === ''
            ? t('reason.refused-by-hook')
            : t('reason.refusedWith', { reason: visibleName(result.reason) })}
        </p>
      )}
      {result.end === 'broken' || result.end === 'not-started' ? null : result.output.trim() === '' ? (
        <p className={styles.muted}>{t('settings.hook.noOutput')}</p>
      ) : (
        <pre ref={makeScrollable} className={styles.output} dir="ltr" aria-label={t('settings.hook.output')}>
          {result.output}
        </pre>
      )}
    </>
  )
}
