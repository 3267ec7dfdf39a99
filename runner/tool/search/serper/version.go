package serper

// Version changes whenever the same answers of the server give other documents.
const Version = "serper/v2"
