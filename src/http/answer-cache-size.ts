/** Memory of each process for answers that are given again, unless a setting says otherwise. */
export const ANSWER_CACHE_BYTES = 32 * 1024 * 1024
