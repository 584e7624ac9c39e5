import { useEffect, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import styles from './shell.module.css'

/** Returns a duration as minutes and seconds, with hours from one hour on, for example `0:07` and `1:02:03`. */
export function durationText(durationMs: number): string {
  const seconds = Math.floor(durationMs / 1000)
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const shown = parts[0] === 0 ? parts.slice(1) : parts
  return shown.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':')
}

type ElapsedTimeProps = {
  /** The start of the command, on the clock of `performance.now()`. */
  readonly startMs: number
}

/** Renders the time for which a command has been running. Screen readers read it only on demand, because it changes every second. */
export function ElapsedTime({ startMs }: ElapsedTimeProps) {
  const [nowMs, setNowMs] = useState(() => performance.now())
  useEffect(() => {
    const timer = setInterval(() => setNowMs(performance.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return (
    <span role="timer" aria-label={t('command.elapsed')} className={styles.elapsed}>
      {durationText(nowMs - startMs)}
    </span>
  )
}
