-- Signs the user PASSWORD_EMAIL in with a password, so that the hashing threads always have work. Refusals
-- because the queue is full are expected.
function init()
  wrk.method = "POST"
  wrk.path = "/v1/accounts:signInWithPassword?key=bench"
  wrk.headers["content-type"] = "application/json"
  wrk.body = '{"email":"' .. os.getenv("PASSWORD_EMAIL")
    .. '","password":"correct horse battery staple","returnSecureToken":true}'
end
