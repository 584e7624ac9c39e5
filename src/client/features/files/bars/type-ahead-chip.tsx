import { useStore } from '../../../state/store.ts'
import { typedPrefix } from '../../../listing/keys/list-keys.ts'
import styles from './type-ahead-chip.module.css'

/** Shows the letters that the user has typed to jump to a name. */
export function TypeAheadChip() {
  const { text } = useStore(typedPrefix)
  if (text === '') return null
  return <output className={styles.chip}>{text}</output>
}
