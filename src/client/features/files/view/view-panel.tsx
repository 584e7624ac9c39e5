import { type ReactNode, type RefObject, useId } from 'react'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { Popover } from 'react-aria-components/Popover'
import type { Path } from '../../../../shared/domain/path.ts'
import type { ViewMode } from '../../../../shared/contract/fields/user-fields.ts'
import { showGallery, showList, showMosaic } from '../../../actions/show-view.ts'
import { useLocale } from '../../../i18n/locale.ts'
import { t } from '../../../i18n/translate.ts'
import { isSortable, listColumns } from '../../../listing/sizes/column-widths.ts'
import { tileNames, tileSize, tileSizes } from '../../../listing/sizes/tile-size.ts'
import { densities, density } from '../../../state/device/density.ts'
import { useViewMode } from '../../../state/device/folder-views.ts'
import { openFolder, type OpenFolder } from '../../../state/open-folder.ts'
import { useUser } from '../../../state/session.ts'
import { useStore } from '../../../state/store.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon, type IconDrawing } from '../../../ui/icon.tsx'
import { ignoreKeys, useKeyScope } from '../../../ui/keyboard/use-key-scope.ts'
import { useMedia } from '../../../ui/measuring/use-media.ts'
import { Slider } from '../../../ui/slider.tsx'
import { showViewEverywhere } from '../open-folder/preferences.ts'
import { wantedOrder } from '../open-folder/wanted-order.ts'
import styles from './view-panel.module.css'

type ViewPanelProps = {
  readonly folder: Path
  /** The button below which the panel opens. It gets the focus back when the panel closes. */
  readonly anchor: RefObject<Element | null>
  readonly onClose: () => void
}

/**
 * Renders the choices of the view control: the view, the order of the rows, and the size that the rows or tiles have in this view.
 * A choice takes effect at once, and the panel stays open.
 */
export function ViewPanel({ folder: path, anchor, onClose }: ViewPanelProps) {
  useKeyScope('menu', ignoreKeys)
  const mode = useViewMode(path)
  const isDefault = useUser()?.viewMode === mode
  const folder = useStore(openFolder)
  const isTouch = useMedia('(pointer: coarse)')
  const chosenDensity = useStore(density)
  return (
    <I18nProvider locale={useLocale()}>
      <Popover
        isOpen
        aria-label={t('settings.viewMode')}
        triggerRef={anchor}
        placement="bottom end"
        offset={4}
        className={styles.panel ?? ''}
        onOpenChange={(isOpen) => !isOpen && onClose()}
      >
        <Choices legend={t('settings.viewMode')}>
          <Options
            options={viewOptions()}
            chosen={mode}
            isFirst
            onChoose={(next) => void openFolder.get()?.showView(next)}
          />
        </Choices>
        {folder !== null && <OrderChoices folder={folder} isGallery={mode === 'mosaic gallery'} />}
        {mode === 'list' && !isTouch && (
          <Choices legend={t('settings.density')}>
            <Options
              options={densities.map((value) => ({ value, label: t(`settings.density.${value}`) }))}
              chosen={chosenDensity}
              onChoose={density.set}
            />
          </Choices>
        )}
        {mode === 'mosaic gallery' && <TileSizeSlider />}
        {mode === 'mosaic gallery' && <NamesChoice />}
        {!isDefault && (
          <Button onClick={() => showViewEverywhere(mode)}>{t('listing.viewEverywhere')}</Button>
        )}
      </Popover>
    </I18nProvider>
  )
}

const viewOptions = (): readonly Option<ViewMode>[] => [
  { value: 'list', label: t('settings.viewMode.list'), icon: showList.icon },
  { value: 'mosaic', label: t('settings.viewMode.mosaic'), icon: showMosaic.icon },
  { value: 'mosaic gallery', label: t('settings.viewMode.gallery'), icon: showGallery.icon },
]

type OrderChoicesProps = { readonly folder: OpenFolder; readonly isGallery: boolean }

/**
 * Renders the columns and the directions by which the rows are sorted. A chosen order is shown at once, before the rows have it.
 */
function OrderChoices({ folder, isGallery }: OrderChoicesProps) {
  const order = useStore(wantedOrder) ?? folder.sortedBy
  return (
    <Choices legend={t('listing.sort')}>
      <Options
        options={listColumns.filter(isSortable).map(({ by, label }) => ({ value: by, label: t(label) }))}
        chosen={order.by}
        onChoose={(by) => void folder.sortBy(by)}
      />
      <Options
        options={directions.map((value) => ({ value, label: t(`listing.${value}`) }))}
        chosen={directions[Number(order.descending)] ?? 'ascending'}
        // Sorting by the same column once more reverses the order.
        onChoose={() => void folder.sortBy(order.by)}
      />
      {isGallery && order.by === 'modified' && <p className={styles.note}>{t('listing.dateTaken')}</p>}
    </Choices>
  )
}

const directions = ['ascending', 'descending'] as const

/** Renders the slider for the size of the gallery's tiles, which the mouse wheel and the keyboard change as well. */
const TileSizeSlider = () => (
  <label className={styles.choices}>
    <span className={styles.legend}>{t('listing.tileSize')}</span>
    <Slider
      className={styles.slider}
      aria-label={t('listing.tileSize')}
      {...tileSizes}
      value={useStore(tileSize)}
      onChange={(event) => tileSize.set(event.currentTarget.value)}
    />
  </label>
)

/** Renders the choice when the names of pictures are visible in the gallery. */
const NamesChoice = () => (
  <Choices legend={t('listing.names')}>
    <Options
      options={(['hover', 'always'] as const).map((value) => ({ value, label: t(`listing.names.${value}`) }))}
      chosen={useStore(tileNames)}
      onChoose={tileNames.set}
    />
  </Choices>
)

type Option<T extends string> = { readonly value: T; readonly label: string; readonly icon?: IconDrawing }

type OptionsProps<T extends string> = {
  readonly options: readonly Option<T>[]
  readonly chosen: T
  /** True for the options that get the focus when the panel opens. */
  readonly isFirst?: boolean
  readonly onChoose: (value: T) => void
}

const Choices = ({ legend, children }: { readonly legend: string; readonly children: ReactNode }) => (
  <fieldset className={styles.choices}>
    <legend className={styles.legend}>{legend}</legend>
    {children}
  </fieldset>
)

/** Renders options beside each other, of which exactly one is chosen. The arrow keys move between them. */
function Options<T extends string>({ options, chosen, isFirst = false, onChoose }: OptionsProps<T>) {
  const name = useId()
  return (
    <div className={styles.options}>
      {options.map(({ value, label, icon }) => (
        <label key={value} className={styles.option}>
          <input
            type="radio"
            className="visually-hidden"
            name={name}
            checked={value === chosen}
            ref={isFirst && value === chosen ? focusOnce : null}
            onChange={() => onChoose(value)}
          />
          {icon && <Icon icon={icon} />}
          <span>{label}</span>
        </label>
      ))}
    </div>
  )
}

/** Focuses the chosen view when the panel opens. */
function focusOnce(input: HTMLInputElement | null): void {
  if (input?.closest('[role="dialog"]')?.contains(document.activeElement) !== true) input?.focus()
}
