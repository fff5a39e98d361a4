// The typed client of Tabularium.
export {}
