import type { Question } from '../../service/question.ts'
import { t } from '../../words/words.ts'
import { placeOf } from './place.ts'
import classes from './query.module.css'

/** The text of the question with what is wrong marked in it. */
export function WrongPlace({ question, message }: { readonly question: Question; readonly message: string }) {
  const place = placeOf(message, question)
  if (!place) return null
  return (
    <p className={classes.wrong}>
      {place.option}: <bdi>{place.before}</bdi>
      <mark>{place.wrong === '' ? `\u00a0(${t('here')})` : place.wrong}</mark>
      <bdi>{place.after}</bdi>
    </p>
  )
}
