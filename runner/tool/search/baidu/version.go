package baidu

// Version changes whenever the same answers of the server give other documents.
const Version = "baidu/v1"
