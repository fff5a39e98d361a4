// How a person reads the console, in all companies and browsers: the language, and whether names stand beside titles.
import { chosenLanguage, copyReading, showsNames } from './preferences.ts'
import { type Settings, settingsOf } from './settings.ts'

interface Reading {
  readonly language: string
  readonly names: boolean
}

const readingIn = ({ language, names }: Settings): Reading => ({
  language: typeof language === 'string' ? language : '',
  names: names === true,
})

const readingHere = (): Reading => ({ language: chosenLanguage(), names: showsNames() })

export async function chooseReading(user: string, chosen: Partial<Reading>): Promise<void> {
  const reading = { ...readingHere(), ...chosen }
  copyReading(reading.language, reading.names)
  await settingsOf(user, '').change((settings) => ({ ...settings, ...reading }))
  location.reload()
}

/**
 * Before the first page that a person sees: loads it anew where another browser has chosen otherwise. Only who was never
 * here waits for it.
 */
export async function followReading(user: string): Promise<void> {
  const settings = settingsOf(user, '')
  const followed = settings.read.then((isRead) => {
    const [wanted, here] = [readingIn(settings.shown()), readingHere()]
    if (!isRead || (wanted.language === here.language && wanted.names === here.names)) return undefined
    copyReading(wanted.language, wanted.names)
    location.reload()
    return new Promise<never>(() => {})
  })
  if (!settings.isKnown) await followed
}
