import {
  fieldNamesOf,
  type ChoiceForm,
  type CommonValueTypes,
  type FieldForm,
  type FieldValuesOf,
  type FlagDescription,
} from './fields.ts'

export const themes = ['', 'light', 'dark'] as const

/** The types of branding values, by field kind. */
export type BrandingValueTypes = Pick<CommonValueTypes, 'switch' | 'text'> & {
  /** The path of a folder on the machine of the server. */
  readonly path: string
  /** A colour of CSS. */
  readonly color: string
  /** A colour as `#rgb` or `#rrggbb`, from which shades are computed. */
  readonly accent: string
  readonly theme: (typeof themes)[number]
  /**
   * The URL of a link on the page, for example of a web page or a `mailto:` URL. An empty string means that there is no
   * link.
   */
  readonly link: string
}

type BrandingFieldOf<K extends keyof BrandingValueTypes> = {
  readonly kind: K
  readonly initial: BrandingValueTypes[K]
  /** The command-line flag `branding.<name>`. */
  readonly flag: FlagDescription
} & FieldForm &
  (K extends 'theme' ? ChoiceForm<BrandingValueTypes['theme']> : unknown)

export type BrandingField = {
  readonly [K in keyof BrandingValueTypes]: BrandingFieldOf<K>
}[keyof BrandingValueTypes]

/** The table of the fields of `settings.branding`. It works like `settingFields`. */
export const brandingFields = {
  name: {
    kind: 'text',
    initial: '',
    flag: { meaning: 'Name of the installation.' },
    texts: { label: 'settings.name' },
  },
  disableExternal: {
    kind: 'switch',
    initial: false,
    flag: { meaning: 'Hides links to other sites.' },
    texts: { label: 'settings.disableExternal' },
  },
  disableUsedPercentage: {
    kind: 'switch',
    initial: false,
    flag: { meaning: 'Hides how full the disk is.' },
    texts: { label: 'settings.disableUsedPercentage' },
  },
  /**
   * The path of the folder with the installation's custom images and style sheet. An empty string means that there is
   * no such folder.
   */
  files: {
    kind: 'path',
    initial: '',
    flag: { meaning: 'Folder with the installation’s own images and styles.' },
    texts: { label: 'settings.files', hint: 'settings.files.hint' },
    refusal: { value: 'branding-folder', text: 'settings.failed.brandingFolder' },
  },
  /**
   * An empty theme follows the system of each person. In File Browser it was the light one (specification 3), so that a takeover
   * stores `light`.
   */
  theme: {
    kind: 'theme',
    initial: '',
    flag: { meaning: 'Colour theme for people who have not chosen one. Empty follows their system.' },
    texts: { label: 'settings.theme' },
    choices: { '': 'sidebar.theme.system', light: 'sidebar.theme.light', dark: 'sidebar.theme.dark' },
  },
  accent: {
    kind: 'accent',
    initial: '',
    flag: { meaning: 'Accent of the pages, such as of buttons and links, as #rrggbb.' },
    texts: {
      label: 'settings.accent',
      hint: 'settings.accent.hint',
      example: 'settings.color.example',
    },
    refusal: { value: 'accent', text: 'settings.failed.accent' },
  },
  color: {
    kind: 'color',
    initial: '',
    flag: { meaning: 'Colour of the browser’s frame.' },
    texts: { label: 'settings.color', hint: 'settings.color.hint', example: 'settings.color.example' },
  },
  reportIssueURL: {
    kind: 'link',
    initial: '',
    flag: { meaning: 'Address at which people report problems.' },
    texts: { label: 'settings.reportIssueURL', example: 'settings.reportIssueURL.example' },
    refusal: { value: 'report-url', text: 'settings.failed.link' },
  },
} as const satisfies Readonly<Record<string, BrandingField>>

export type BrandingSettings = FieldValuesOf<typeof brandingFields, BrandingValueTypes>
export const brandingFieldNames = fieldNamesOf(brandingFields)

/** The fields of `settings.branding` in the order of the screen. */
export const brandingForm = [
  'disableExternal',
  'disableUsedPercentage',
  'theme',
  'name',
  'files',
  'accent',
  'color',
  'reportIssueURL',
] as const satisfies readonly (keyof BrandingSettings)[]
