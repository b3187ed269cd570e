-- Sends each line of SIGN_INS from FROM to TO once, as the body of a sign-in, and writes the returned
-- refresh tokens to REFRESH_TOKENS. SIGN_IN_PATH is where another system signs in.
local bodies, position = {}, 0
local refused = 0
local kept

function init()
  local from, to = tonumber(os.getenv("FROM")), tonumber(os.getenv("TO"))
  local number = 0
  for line in io.lines(os.getenv("SIGN_INS")) do
    number = number + 1
    if number >= from and number <= to then bodies[#bodies + 1] = line end
  end
  kept = io.open(os.getenv("REFRESH_TOKENS"), "a")
  wrk.method = "POST"
  wrk.path = os.getenv("SIGN_IN_PATH") or "/v1/accounts:signInWithIdp?key=bench"
  wrk.headers["content-type"] = "application/json"
end

function request()
  position = position + 1
  -- Counts as refused, to show that the figure is not valid.
  if position > #bodies then return wrk.format("GET", "/there-are-too-few-tokens") end
  return wrk.format(nil, nil, nil, bodies[position])
end

function response(status, headers, body)
  if status ~= 200 then
    refused = refused + 1
    if refused <= 3 then io.stderr:write(status .. " " .. body:sub(1, 300) .. "\n") end
    return
  end
  local token = body:match('"refreshToken":"([^"]+)"')
  if token then kept:write(token, "\n") end
end
