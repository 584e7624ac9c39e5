/** The open folder. Stands empty until the listing is in. */
export const FilesScreen = () => null
