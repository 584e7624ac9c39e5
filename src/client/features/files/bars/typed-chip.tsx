import { useStore } from '../../../state/store.ts'
import { typed } from '../keyboard/list-keys.ts'
import styles from './typed-chip.module.css'

/** What has been typed to jump to a name. */
export function TypedChip() {
  const { text } = useStore(typed)
  if (text === '') return null
  return <output className={styles.chip}>{text}</output>
}
