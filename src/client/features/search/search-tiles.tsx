import { t } from '../../i18n/translate.ts'
import { searchInput, searchText } from '../../state/search-text.ts'
import { FilePicture } from '../../ui/file-picture.tsx'
import { fileKinds } from './query-words.ts'
import styles from './search-tiles.module.css'

/** Renders a tile for each kind of file below the empty search field. A press searches for files of this kind. */
export const SearchTiles = () => (
  // A press must not take the focus out of the field, because the tiles disappear without the focus.
  <div className={styles.panel} data-part="search-tiles" onPointerDown={(event) => event.preventDefault()}>
    <p className={styles.hint}>{t('search.hint')}</p>
    <fieldset className={styles.types}>
      <legend className={styles.title}>{t('search.types')}</legend>
      {fileKinds.map(({ word, label, type }) => (
        <button key={word} type="button" className={styles.tile} onClick={() => searchForKind(word)}>
          <FilePicture name={`x.${type}`} type={type} isFolder={false} size={32} />
          {t(label)}
        </button>
      ))}
    </fieldset>
  </div>
)

function searchForKind(word: string): void {
  searchText.set(`${word} `)
  searchInput()?.focus()
}
